import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { reserveSpool } from '#lib/connections/tokens/spool.ts'
import { findAccount, reachableFolder } from '#lib/db/embedded-account.ts'
import { startEmbeddedPostgres } from '#lib/db/embedded-postgres.ts'
import { parseSettings, settings } from '#lib/env.ts'
import type { ConnectionId } from '#lib/ids.ts'
import { provideSandboxSecrets } from '../processes/sandbox-process.ts'
import { provideDataDir } from './data-dir.ts'
import { provideKeys } from './keys.ts'
import { readRing, writeRing } from './keys-files.ts'

const CONNECTION = '00000000-0000-4000-8000-000000000001' as ConnectionId

let dataDir: string
let umask: number

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'tieout-private-'))
  // must not depend on the umask of the account that starts the app
  umask = process.umask(0)
})
afterEach(() => {
  process.umask(umask)
  rmSync(reachableFolder(join(dataDir, 'new', 'postgres'), findAccount()), { recursive: true, force: true })
  rmSync(dataDir, { recursive: true, force: true })
})

/** Everything below a folder with its octal mode. */
function modesBelow(folder: string, root = folder): Record<string, string> {
  return Object.assign(
    {},
    ...readdirSync(folder, { withFileTypes: true }).map((entry) => {
      const path = join(folder, entry.name)
      const mode = { [relative(root, path)]: (statSync(path).mode & 0o777).toString(8) }
      return entry.isDirectory() ? { ...mode, ...modesBelow(path, root) } : mode
    }),
  )
}

test('A16: keys, spool, logs and the passwords of the database and of the sandbox are for this account alone', {
  timeout: 120_000,
}, async () => {
  const folder = join(dataDir, 'new')
  provideDataDir(folder)
  const own = parseSettings({ DATA_DIR: folder })
  provideKeys(own)
  writeRing(own, readRing(own), true)
  await provideSandboxSecrets(folder)
  const { spoolDir } = settings()
  settings().spoolDir = join(folder, 'spool')
  const kept = await reserveSpool(CONNECTION, 1)
  await kept.keep('sealed')
  const reserved = await reserveSpool(CONNECTION, 2)
  const spooled = Object.values(modesBelow(settings().spoolDir))
  await Promise.all([kept.remove(), reserved.remove()])
  settings().spoolDir = spoolDir
  const server = await startEmbeddedPostgres(join(folder, 'postgres'), 'books', ['fsync=off'])
  await server.leave()

  expect(spooled).toEqual(['600', '600'])
  const modes = modesBelow(folder)
  expect(modes).toMatchObject({
    logs: '700',
    spool: '700',
    keys: '700',
    'sandbox.json': '600',
    'keys/session-secret': '600',
    'keys/token-private-keys.json': '600',
    'keys/token-public-keys.json': '600',
    'postgres/server.json': '600',
  })
  const data = join(reachableFolder(join(folder, 'postgres'), findAccount()), 'data')
  expect((statSync(data).mode & 0o777).toString(8)).toBe('700')
  // a new file in the data directory fails here: it must be private or hold no secret
  const inTheOpen = Object.keys(modes).filter((path) => !/^postgres\/.+|^(keys|spool|logs)\//.test(path))
  expect(inTheOpen.filter((path) => !modes[path]?.endsWith('00')).sort()).toEqual(['postgres'])
})
