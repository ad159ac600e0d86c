/**
 * Real commands on a database with three roles. e2e/separate-processes.spec.ts shows that web
 * server and worker then work.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { assertCanaries } from '#lib/connections/tokens/key-canary.ts'
import { generateTokenKeys } from '#lib/connections/tokens/vault.ts'
import { findFreePort } from '#lib/db/embedded-postgres.ts'
import { switchPool } from '#lib/db/pool.ts'
import { databaseUrl } from '#lib/db/test-support/test-cluster.ts'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import { type Ended, runCommand, runCommandHere } from './test-support/test-command.ts'

const PARTNER = {
  PARTNER_BASE_URL: 'http://127.0.0.1:1',
  PARTNER_AUTH_URL: 'http://127.0.0.1:1',
  PARTNER_CLIENT_ID: 'client',
  PARTNER_CLIENT_SECRET: 'secret',
  PARTNER_PRIVATE_ADDRESSES: 'allowed',
  SESSION_SECRET: 'a session secret of both web servers',
}

let database: TestDatabase
let name: string
let dataDir: string
let keys: { publicKeys: string; privateKeys: string }

beforeAll(async () => {
  database = await createTestDatabase()
  name = new URL(database.url).pathname.slice(1)
  const { publicKeys, privateKeys } = await generateTokenKeys()
  keys = { publicKeys: JSON.stringify(publicKeys), privateKeys: JSON.stringify(privateKeys) }
})
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'tieout-roles-'))
  return () => rmSync(dataDir, { recursive: true })
})
afterAll(() => database.drop())

type Run = (command: string, environment: Record<string, string>) => Promise<Ended>

/** Each command is once a process of its own; its other refusals are heard in this one. */
const [run, runHere] = [runCommand, runCommandHere].map(
  (start): Run =>
    async (command, environment) =>
      start(command, { ...PARTNER, PORT: String(await findFreePort()), DATA_DIR: dataDir, ...environment }),
) as [Run, Run]

/** The command's refusal, which must be a single sentence that people can act on. */
async function refusal(command: string, environment: Record<string, string>, how = runHere): Promise<string> {
  const { code, stderr } = await how(command, environment)
  expect(code, stderr).toBeGreaterThan(0)
  expect(stderr.trim().split('\n')).toHaveLength(1)
  return stderr.trim()
}

test.each(['web', 'worker'] as const)('the %s does not migrate with a role that owns nothing', async (command) => {
  const DATABASE_URL = database.urls[command]
  const environment: Record<string, string> = command === 'web' ? { TOKEN_PUBLIC_KEYS: keys.publicKeys } : {}
  const newest = `(select migration_name from _prisma_migrations order by migration_name desc limit 1)`
  const [taken] = await database.query(
    `delete from _prisma_migrations where migration_name = ${newest} returning *, finished_at::text as at`,
  )
  expect(await refusal(command, { ...environment, DATABASE_URL }, run)).toBe(
    `The database at ${new URL(DATABASE_URL).host} (DATABASE_URL) can't be used: its tables are of an earlier version, and this role does not own them: run \`npm run migrate\` with the owner's address in DATABASE_OWNER_URL first`,
  )
  await database.query(
    `insert into _prisma_migrations (id, checksum, finished_at, migration_name, applied_steps_count) values ($1, $2, $3, $4, 1)`,
    [taken?.id, taken?.checksum, taken?.at, taken?.migration_name],
  )
})

test('A9: no process starts with a superuser, or with a role that lacks its rights', async () => {
  const superuser = databaseUrl(inject('testServer').superuser, name)
  expect(await refusal('worker', { DATABASE_URL: superuser })).toContain(
    'DATABASE_URL: row-level security does not hold for the role "postgres" (superuser or BYPASSRLS)',
  )
  expect(await refusal('web', { DATABASE_URL: database.urls.worker, TOKEN_PUBLIC_KEYS: keys.publicKeys })).toContain(
    'DATABASE_URL: the role "tieout_worker" lacks rights of the web',
  )
  expect(await refusal('worker', { DATABASE_URL: database.urls.web })).toContain('lacks rights of the worker')
})

test('migrates with the owner’s address, and says with which roles', async () => {
  const roles = { DATABASE_WEB_ROLE: 'tieout_web', DATABASE_WORKER_ROLE: 'tieout_worker' }
  await database.query('revoke select on line from tieout_worker')
  const { code, stdout } = await run('migrate', { DATABASE_OWNER_URL: database.url, ...roles })
  expect(code).toBe(0)
  expect(stdout).toMatch(/Database schema .*up to date.* tieout_web and tieout_worker/)
  const status = await runHere('keys status', { DATABASE_URL: database.urls.worker })
  expect(status).toMatchObject({ code: 0, stderr: '' })
  expect(status.stdout).not.toContain('owns the tables')
  expect((await runHere('keys status', { DATABASE_URL: database.url })).stdout).toContain(
    'The role "tieout" owns the tables; docs/operations.md has roles that own nothing.',
  )
})

test('web server and worker refuse the address of the tables’ owner in their environment', async () => {
  const environment = { DATABASE_OWNER_URL: database.url, TOKEN_PUBLIC_KEYS: keys.publicKeys }
  for (const command of ['web', 'worker'] as const)
    expect(await refusal(command, { ...environment, DATABASE_URL: database.urls[command] })).toBe(
      `DATABASE_OWNER_URL: is for \`npm run migrate\` alone; take it out of the environment of the ${command}.`,
    )
  expect(await refusal('start', { DATABASE_OWNER_URL: database.url })).toBe(
    'DATABASE_URL: is missing, while DATABASE_OWNER_URL is set.',
  )
})

test('A24: the web server refuses private keys, no keys and a stranger’s keys, before it serves', async () => {
  const DATABASE_URL = database.urls.web
  expect(await refusal('web', { DATABASE_URL, TOKEN_PRIVATE_KEYS: keys.privateKeys })).toContain(
    'TOKEN_PRIVATE_KEYS: is for workers alone',
  )
  expect(await refusal('web', { DATABASE_URL })).toContain('TOKEN_PUBLIC_KEYS: is missing')
  const workers = await generateTokenKeys()
  await switchPool(database.urls.worker)
  await assertCanaries(workers)
  expect(await refusal('web', { DATABASE_URL, TOKEN_PUBLIC_KEYS: keys.publicKeys })).toContain(
    'TOKEN_PUBLIC_KEYS: no worker of this database opens what is sealed to',
  )
})

test('A24: prints the public keys, and nothing that opens a token', async () => {
  const { code, stdout } = await run('keys public', { TOKEN_PRIVATE_KEYS: keys.privateKeys })
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toEqual(JSON.parse(keys.publicKeys))
})
