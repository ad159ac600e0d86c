import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { assertCanaries } from '#lib/connections/tokens/key-canary.ts'
import { generateTokenKeys } from '#lib/connections/tokens/vault.ts'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import { type Settings, settings } from '#lib/env.ts'
import { Secret } from '#lib/secret.ts'
import type { Finding } from './doctor/finding.ts'
import { describeSkew } from './doctor/look-at-database.ts'
import { examine } from './doctor-command.ts'
import type { Lifetime } from './run/lifetime.ts'

const lifetime: Lifetime = { signal: new AbortController().signal, onEnd: () => undefined, end: async () => undefined }
const SECRET = 'a-client-secret-that-nobody-may-read'
const kept = { ...settings() }
let database: TestDatabase
let keys: Awaited<ReturnType<typeof generateTokenKeys>>
let platform: Server
let date = ''
let folder = ''

beforeAll(async () => {
  database = await createTestDatabase()
  keys = await generateTokenKeys()
  await assertCanaries(keys)
  platform = createServer((_, response) => response.writeHead(404, { date }).end())
  await new Promise<void>((resolve) => platform.listen(0, '127.0.0.1', resolve))
  folder = mkdtempSync(join(tmpdir(), 'tieout-doctor-'))
})
afterAll(async () => {
  Object.assign(settings(), kept)
  await new Promise((resolve) => platform.close(resolve))
  rmSync(folder, { recursive: true, force: true })
  await database.drop()
})
beforeEach(() => {
  date = new Date().toUTCString()
  Object.assign(settings(), toSound())
})
afterEach(() => database.query('delete from organization'))

/** Settings of an installation in which nothing is wrong. */
function toSound(): Partial<Settings> {
  const origin = `http://127.0.0.1:${(platform.address() as AddressInfo).port}`
  return {
    databaseUrl: database.urls.worker,
    dataDir: folder,
    spoolDir: join(folder, 'spool'),
    attachmentsDir: null,
    tokenPublicKeys: keys.publicKeys,
    tokenPrivateKeys: new Secret(keys.privateKeys),
    mail: null,
    partner: {
      name: 'Platform',
      baseUrl: origin,
      authUrl: origin,
      scimBaseUrl: null,
      clientId: 'x',
      clientSecret: new Secret(SECRET),
      scopes: 'expenses:read',
      pageSize: 50,
      callsPerSecond: 0,
    },
  }
}

async function findTrouble(): Promise<Finding[]> {
  const findings = await examine(lifetime)
  expect(JSON.stringify(findings)).not.toContain(SECRET)
  // the test server's own settings are those of a test
  return findings.filter(({ level, about }) => level !== 'ok' && about !== 'Database settings')
}

test('finds nothing wrong with a sound installation, and names each part that it looked at', async () => {
  const findings = await examine(lifetime)
  expect(findings.filter(({ level }) => level === 'problem')).toEqual([])
  const parts = new Set(findings.map(({ about }) => about))
  for (const part of [
    'Configuration',
    'Disk of the data',
    'Database',
    'Schema',
    'Database role',
    'Clock',
    'Keys',
    'Platform',
    'Mail',
    'Worker',
  ])
    expect(parts).toContain(part)
})

test('says that the database does not answer, and looks at the rest all the same', async () => {
  settings().databaseUrl = 'postgresql://somebody:hunter2@127.0.0.1:1/none'
  const trouble = await findTrouble()
  expect(trouble).toEqual([expect.objectContaining({ level: 'problem', about: 'Database' })])
  expect(JSON.stringify(await examine(lifetime))).not.toContain('hunter2')
})

test('names the key that is missing', async () => {
  const others = await generateTokenKeys()
  settings().tokenPrivateKeys = new Secret(others.privateKeys)
  const [used] = keys.publicKeys.keys
  expect(await findTrouble()).toEqual([
    expect.objectContaining({ level: 'problem', about: 'Keys', text: `${used?.kid} is missing` }),
  ])
})

test('a web server’s public keys that no worker knows are a problem', async () => {
  const others = await generateTokenKeys()
  Object.assign(settings(), { tokenPublicKeys: others.publicKeys, tokenPrivateKeys: null })
  expect(await findTrouble()).toEqual([expect.objectContaining({ level: 'problem', about: 'Keys' })])
  Object.assign(settings(), { tokenPublicKeys: keys.publicKeys })
  expect(await findTrouble()).toEqual([])
})

test('says that the platform does not answer, and that its clock is off', async () => {
  date = new Date(Date.now() - 600_000).toUTCString()
  expect(await findTrouble()).toEqual([expect.objectContaining({ level: 'problem', about: 'Clock' })])
  const { partner } = settings()
  settings().partner = {
    ...(partner as NonNullable<typeof partner>),
    baseUrl: 'http://127.0.0.1:1',
    authUrl: 'http://127.0.0.1:1',
  }
  expect(await findTrouble()).toEqual([expect.objectContaining({ level: 'problem', about: 'Platform' })])
})

test('says that no worker takes a sync that waits, and what an operator has to settle', async () => {
  await database.query(`insert into organization (id, name) values ('00000000-0000-4000-8000-00000000000a', 'O')`)
  await database.query(`insert into operator_notice (organization_id, kind, detail)
    values ('00000000-0000-4000-8000-00000000000a', 'client_refused', 'x')`)
  expect(await findTrouble()).toEqual([
    expect.objectContaining({ level: 'warning', about: 'Notice', text: 'client refused' }),
  ])
  await database.query('delete from operator_notice')
})

test('a mail server that takes no connection is a problem', async () => {
  settings().mail = { smtpUrl: new Secret(`smtp://somebody:${SECRET}@127.0.0.1:1`), from: 'tieout@example.com' }
  expect(await findTrouble()).toEqual([expect.objectContaining({ level: 'problem', about: 'Mail' })])
})

test('the role that owns the tables is pointed out', async () => {
  settings().databaseUrl = database.url
  expect(await findTrouble()).toEqual([expect.objectContaining({ level: 'warning', about: 'Database role' })])
})

test.each([
  [1_000, 1_000, 'ok'],
  [0, 1_000, 'ok'],
  [-4_000, 1_000, 'ok'],
  [-6_000, 1_000, 'problem'],
  [7_500, 1_000, 'problem'],
  // the answer took so long that no skew is needed to explain it
  [9_000, 10_000, 'ok'],
])('a clock that reads %i ms between two readings of ours, at 0 and %i ms, is %s', (theirs, end, level) => {
  expect(describeSkew('x', theirs, { begin: 0, end, allowed: 5_000 }).level).toBe(level)
})
