/** A real process, killed while it writes. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { switchPool } from '#lib/db/pool.ts'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import { toChildEnvironment } from '#lib/env.ts'
import type { OrganizationId } from '#lib/ids.ts'
import { seedOrganization } from '#lib/ledger/test-support/seed.ts'
import { addFilledAccount } from '#lib/world/fill-ledger.ts'
import { projectRoot } from './run/project-root.ts'

let database: TestDatabase
let organizationId: OrganizationId
const root = mkdtempSync(join(tmpdir(), 'tieout-killed-'))

beforeAll(async () => {
  database = await createTestDatabase()
  const owner = await seedOrganization(database.query)
  organizationId = owner.organizationId
  await switchPool(database.url)
  await addFilledAccount(owner, 10_000)
})
afterAll(async () => {
  rmSync(root, { recursive: true })
  await database.drop()
})

const folder = () => join(root, `organization=${organizationId}`)
const listFiles = () =>
  (readdirSync(folder(), { recursive: true }) as string[]).filter((name) => /\.(parquet|json)$/.test(name)).sort()
const readAll = () => listFiles().map((name) => [name, readFileSync(join(folder(), name)).toString('base64')])

function start() {
  const child = spawn(process.execPath, ['--import', 'tsx', 'lib/cli/main.ts', 'export', 'parquet', root], {
    cwd: projectRoot,
    env: toChildEnvironment({ VITEST: undefined, DATABASE_URL: database.urls.web }),
    stdio: 'ignore',
  })
  return { child, ended: once(child, 'exit') }
}

test('a process that is killed while it writes leaves the old lake, byte for byte', async () => {
  const [first] = await start().ended
  expect(first).toBe(0)
  const old = readAll()
  expect(old.length).toBeGreaterThan(24)
  await database.query(`update line set description = 'changed' where organization_id = $1`, [organizationId])
  const { child, ended } = start()
  // one file is finished, and the next one begun
  await vi.waitFor(() => expect(readdirSync(join(folder(), '.part')).length).toBeGreaterThan(1), {
    timeout: 60_000,
    interval: 5,
  })
  child.kill('SIGKILL')
  expect(await ended).toEqual([null, 'SIGKILL'])
  expect(readAll()).toEqual(old)
  const [next] = await start().ended
  expect(next).toBe(0)
  const lines = ([name]: string[]) => name?.startsWith('lines') === true
  expect(readAll().map(([name]) => name)).toEqual(old.map(([name]) => name))
  expect(readAll().filter(lines)).not.toEqual(old.filter((each) => lines(each as string[])))
  expect(existsSync(join(folder(), '.part'))).toBe(false)
})
