import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { personOf } from '#lib/audit/test-support/test-actor.ts'
import { requestDisconnect } from '#lib/connections/life/disconnect-request.ts'
import { claimScimCheck, requestScimCheck } from '#lib/connections/scim/scim-checks.ts'
import { getScimDiscovery } from '#lib/connections/scim/scim-discovery.ts'
import { openScimKey, removeScimKey, storeScimKey } from '#lib/connections/tokens/scim-key.ts'
import { generateTokenKeys } from '#lib/connections/tokens/vault.ts'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import type { JwkSet } from '#lib/env.ts'
import type { ConnectionId, OrganizationId, UserId } from '#lib/ids.ts'
import { seedConnection, seedOrganization } from '#lib/ledger/test-support/seed.ts'
import { compareScimAnswers } from '#lib/partner/scim/scim-diff.ts'
import type { ScimEndpoint } from '#lib/partner/scim/scim-model.ts'
import type { Sandbox } from '#lib/sandbox/server.ts'
import { startTestSandbox, TEST_SETTINGS } from '#lib/sandbox/test-support/test-client.ts'
import { runDueScimChecks, runScimDiscovery } from './scim-job.ts'

const KEY = TEST_SETTINGS.scimApiKey
const ENDPOINTS: ScimEndpoint[] = ['ServiceProviderConfig', 'ResourceTypes', 'Schemas']

let database: TestDatabase
let sandbox: Sandbox
let evil: { server: Server; url: string; requests: string[] }
let keys: { publicKeys: JwkSet; privateKeys: JwkSet }
let organizationId: OrganizationId
let userId: UserId
let connectionId: ConnectionId

beforeAll(async () => {
  database = await createTestDatabase()
  sandbox = await startTestSandbox()
  keys = await generateTokenKeys()
  evil = await startRecorder()
})
afterAll(async () => {
  await sandbox.close()
  evil.server.close()
  await database.drop()
})

beforeEach(async () => {
  sandbox.reset()
  evil.requests.length = 0
  await database.query('delete from scim_check')
  const owner = await seedOrganization(database.query)
  organizationId = owner.organizationId
  userId = owner.userId
  connectionId = await seedConnection(database.query, owner)
})

async function startRecorder() {
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(request.url ?? '')
    response.end('{}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, requests, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const enterKey = (key = KEY) =>
  storeScimKey(organizationId, connectionId, key, { changedBy: personOf(userId), publicKeys: keys.publicKeys })

async function look() {
  const discovery = await getScimDiscovery(organizationId, connectionId)
  if (discovery === null) throw new Error('the connection is gone')
  return discovery
}

/** Requests a check, lets the worker's code run it, and returns what a page would show. */
async function check(scimBaseUrl: string | null = sandbox.scimBaseUrl) {
  await requestScimCheck(organizationId, connectionId, personOf(userId))
  await runDueScimChecks({ scimBaseUrl, privateKeys: keys.privateKeys }, new AbortController().signal)
  return look()
}

/** Every row of every table, as text. */
async function dump(): Promise<string> {
  const tables = await database.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema') and schemaname not like 'pg_temp%'`,
  )
  const rows: unknown[] = []
  for (const { name } of tables) rows.push(await database.query(`select t::text as row from ${name} t`))
  return JSON.stringify(rows)
}

it('asks the three endpoints with the key and nothing else, and keeps each answer as received', async () => {
  await enterKey()
  const { check: last, key, endpoints } = await check()
  expect(last).toMatchObject({ status: 'finished', failure: null })
  expect(key).toMatchObject({ kind: 'set', changedBy: 'Ada Admin' })
  expect(endpoints.map(({ endpoint, problem, answers }) => [endpoint, problem, answers.length])).toEqual(
    ENDPOINTS.map((endpoint) => [endpoint, null, 1]),
  )
  const direct = await fetch(`${sandbox.scimBaseUrl}/Schemas`, { headers: { authorization: `apikey ${KEY}` } })
  expect(endpoints[2]?.answers[0]).toMatchObject({ raw: await direct.text(), contentType: 'application/scim+json' })
  expect(
    sandbox
      .state()
      .calls.list()
      .slice(0, 3)
      .map(({ method, path, query, status }) => [method, path, query, status]),
  ).toEqual(ENDPOINTS.map((endpoint) => ['GET', `/api/v2/scim/${endpoint}`, '', 200]))
})

it('keeps another answer only when it differs, with its date, and tells what changed', async () => {
  await enterKey()
  const first = await check()
  const second = await check()
  expect(second.endpoints.map(({ answers }) => answers.length)).toEqual([1, 1, 1])
  expect(Date.parse(second.endpoints[2]?.lastCheckedAt ?? '')).toBeGreaterThan(
    Date.parse(first.endpoints[2]?.lastCheckedAt ?? ''),
  )
  sandbox.state().faults.add({
    match: { path: '/api/v2/scim/Schemas' },
    action: { type: 'rewrite', replace: [['"costCenter"', '"costUnit"']] },
  })
  const third = await check()
  const [after, before] = third.endpoints[2]?.answers ?? []
  expect([after?.number, before?.number, third.endpoints[0]?.answers.length]).toEqual([2, 1, 1])
  const changes = compareScimAnswers('Schemas', before?.raw ?? '', after?.raw ?? '')
  expect(changes.map(({ kind, path }) => [kind, path.at(-1)])).toEqual([
    ['removed', 'costCenter'],
    ['added', 'costUnit'],
  ])
})

it('A15: follows neither meta.location nor a redirect; the key goes to the configured host only', async () => {
  await enterKey()
  const { faults } = sandbox.state()
  faults.add({
    times: 2,
    match: { path: '/api/v2/scim/*' },
    action: { type: 'rewrite', replace: [['http://scim-other-host.sandbox.example', evil.url]] },
  })
  faults.add({
    match: { path: '/api/v2/scim/Schemas' },
    action: { type: 'status', status: 302, headers: { location: `${evil.url}/Schemas` } },
  })
  const { endpoints } = await check()
  expect(endpoints[0]?.answers[0]?.raw).toContain(`"location":"${evil.url}/api/v2/scim/ServiceProviderConfig"`)
  expect(endpoints[2]).toMatchObject({ problem: { code: 'redirect', httpStatus: 302 }, answers: [] })
  expect(evil.requests).toEqual([])
  expect(sandbox.state().calls.list()).toHaveLength(3)
})

it('A16: the key is in no row, even if the platform repeats it in its answers; only the worker can open it', async () => {
  const canary = 'canary+key/1234567890=="\\'
  await enterKey(canary)
  const echo = createServer((request, response) => {
    const { authorization = '' } = request.headers
    const base64 = Buffer.from(canary).toString('base64')
    const body = { patch: { supported: true }, echo: authorization, [authorization]: base64 }
    const isRefused = request.url?.endsWith('Schemas')
    response.writeHead(isRefused ? 401 : 200, { 'content-type': `application/json; ${encodeURIComponent(canary)}` })
    response.end(JSON.stringify(isRefused ? { detail: `${authorization} is wrong: ${canary}` } : body))
  }).listen(0, '127.0.0.1')
  await once(echo, 'listening')
  const { endpoints } = await check(`http://127.0.0.1:${(echo.address() as AddressInfo).port}/api/v2/scim`)
  echo.close()
  expect(endpoints[0]?.answers[0]?.raw).toContain('"echo":"apikey [key removed]"')
  expect(endpoints[2]?.problem?.detail).toContain('is wrong: [key removed]')
  const text = (await dump()) + JSON.stringify(endpoints)
  expect(text).toContain('key removed')
  const base64 = Buffer.from(canary).toString('base64')
  for (const spelling of [canary, canary.slice(0, 20), encodeURIComponent(canary), base64])
    expect(text).not.toContain(spelling)
  expect(await openScimKey(organizationId, connectionId, keys.privateKeys)).toBe(canary)
  const other = await generateTokenKeys()
  const opened = openScimKey(organizationId, connectionId, other.privateKeys)
  await expect(opened).rejects.toMatchObject({ code: 'token-unreadable' })
})

it('refuses a sealed key moved from another connection', async () => {
  await enterKey()
  const thief = await seedConnection(database.query, { organizationId, userId })
  await database.query(
    `insert into scim_credential
     select organization_id, $2, generation, sealed_key, key_id, changed_by from scim_credential where connection_id = $1`,
    [connectionId, thief],
  )
  const opened = openScimKey(organizationId, thief, keys.privateKeys)
  await expect(opened).rejects.toMatchObject({ code: 'token-unreadable' })
})

const SCIM_ERROR = '{"schemas":["urn:ietf:params:scim:api:messages:2.0:Error"],"status":"403"}'

it.each([
  ['a wrong key', { type: 'status', status: 401, body: '{"status":401,"detail":"no such key"}' }, 'wrong_key', 401],
  ['no permission', { type: 'status', status: 403 }, 'forbidden', 403],
  ['a missing endpoint', { type: 'status', status: 404 }, 'not_found', 404],
  ['a busy platform', { type: 'status', status: 429 }, 'throttled', 429],
  ['a broken platform', { type: 'status', status: 500 }, 'unavailable', 500],
  ['HTML', { type: 'html' }, 'not_json', 200],
  ['a cut connection', { type: 'truncate' }, 'unreachable', null],
  ['a cut answer', { type: 'truncate', keepLength: false }, 'not_json', 200],
  ['a decompression bomb', { type: 'gzip_bomb', megabytes: 20 }, 'too_large', null],
  ['a dropped connection', { type: 'drop_before' }, 'unreachable', null],
  ['an error that travels with 200', { type: 'status', status: 200, body: SCIM_ERROR }, 'forbidden', 403],
  ['JSON that is not SCIM', { type: 'status', status: 200, body: '{"hello":1}' }, 'not_scim', 200],
] as const)(
  'after %s says which endpoint could not be read and why; what was known stays',
  async (_, action, code, status) => {
    await enterKey()
    await check()
    sandbox.state().faults.add({ match: { path: '/api/v2/scim/ResourceTypes' }, action })
    const { endpoints } = await check()
    expect(endpoints.map(({ problem }) => problem?.code ?? null)).toEqual([null, code, null])
    expect(endpoints[1]).toMatchObject({ problem: { httpStatus: status }, answers: [{ number: 1 }] })
    expect((await check()).endpoints[1]).toMatchObject({ problem: null })
  },
)

it('reads a compressed answer and one that says it is plain JSON', async () => {
  await enterKey()
  sandbox.state().faults.add({ match: { path: '/api/v2/scim/ResourceTypes' }, action: { type: 'gzip' } })
  sandbox.state().faults.add({
    match: { path: '/api/v2/scim/Schemas' },
    action: { type: 'content_type', value: 'application/json' },
  })
  expect((await check()).endpoints.map(({ problem }) => problem)).toEqual([null, null, null])
})

it('shows 401 at every endpoint for a wrong key, and reads them once the right one is entered', async () => {
  await enterKey('not-the-key')
  const { endpoints } = await check()
  expect(endpoints.map(({ problem }) => problem)).toEqual(
    ENDPOINTS.map(() => ({ code: 'wrong_key', httpStatus: 401, detail: 'A valid API key is required.' })),
  )
  await enterKey()
  expect((await check()).endpoints.map(({ answers }) => answers.length)).toEqual([1, 1, 1])
})

it('ends a check that cannot ask: no key, a removed key, a lost private key, no address', async () => {
  const failure = async (...from: Parameters<typeof check>) => (await check(...from)).check?.failure
  expect(await failure()).toBe('no_key')
  await enterKey()
  expect(await failure(null)).toBe('not_configured')
  const mine = keys
  keys = { ...mine, privateKeys: (await generateTokenKeys()).privateKeys }
  expect(await failure()).toBe('key_unreadable')
  keys = mine
  expect(await removeScimKey(organizationId, connectionId, personOf(userId))).toBe(true)
  expect(await removeScimKey(organizationId, connectionId, personOf(userId))).toBe(false)
  expect(await failure()).toBe('no_key')
  expect((await look()).key).toMatchObject({
    kind: 'removed',
    changedBy: 'Ada Admin',
  })
  expect(sandbox.state().calls.list()).toEqual([])
})

it('joins a check under way, and two workers run each check once', async () => {
  await enterKey()
  const wishes = await Promise.all(
    [1, 2, 3].map(() => requestScimCheck(organizationId, connectionId, personOf(userId))),
  )
  expect(new Set(wishes.map((wish) => wish !== 'disconnected' && wish?.checkId)).size).toBe(1)
  const settings = { scimBaseUrl: sandbox.scimBaseUrl, privateKeys: keys.privateKeys }
  const counts = await Promise.all([1, 2].map(() => runDueScimChecks(settings, new AbortController().signal)))
  expect(counts.sort()).toEqual([0, 1])
  expect(sandbox.state().calls.list()).toHaveLength(3)
})

it('takes over from a dead worker, fences it off if it returns, and gives up after three deaths', async () => {
  await enterKey()
  await requestScimCheck(organizationId, connectionId, personOf(userId))
  const settings = { scimBaseUrl: sandbox.scimBaseUrl, privateKeys: keys.privateKeys }
  const dead = await claimScimCheck()
  expect(await claimScimCheck()).toBeNull()
  const endLease = () => database.query(`update scim_check set lease_until = now() - interval '1 second'`)
  await endLease()
  const successor = await claimScimCheck()
  expect(successor?.id).toBe(dead?.id)
  if (dead) await runScimDiscovery(dead, settings)
  expect((await look()).endpoints[0]?.answers).toEqual([])
  await endLease()
  expect((await claimScimCheck())?.id).toBe(dead?.id)
  await endLease()
  expect(await claimScimCheck()).toBeNull()
  expect((await look()).check).toMatchObject({
    status: 'failed',
    failure: 'interrupted',
  })
})

it('asks again when the key is replaced while in use: the answer to the old key is not stored', async () => {
  await enterKey('the-old-key')
  await requestScimCheck(organizationId, connectionId, personOf(userId))
  const withOldKey = await claimScimCheck()
  await enterKey()
  if (withOldKey)
    await runScimDiscovery({ ...withOldKey }, { scimBaseUrl: sandbox.scimBaseUrl, privateKeys: keys.privateKeys })
  expect((await look()).endpoints[0]?.lastCheckedAt).toBeNull()
  expect((await check()).endpoints.map(({ problem }) => problem)).toEqual([null, null, null])
})

const keyRow = async () => {
  const columns = 'sealed_key, key_id, changed_by'
  return (await database.query(`select ${columns} from scim_credential where connection_id = $1`, [connectionId]))[0]
}
const disconnect = () =>
  requestDisconnect(organizationId, connectionId, { dataChoice: 'keep', actor: personOf(userId) })

it('F16: a click on "Disconnect" destroys the key and ends its check; nothing more is asked with it', async () => {
  await enterKey()
  await requestScimCheck(organizationId, connectionId, personOf(userId))
  const settings = { scimBaseUrl: sandbox.scimBaseUrl, privateKeys: keys.privateKeys }
  const claimed = await claimScimCheck()
  expect(await disconnect()).toBe('accepted')
  expect(await keyRow()).toEqual({ sealed_key: null, key_id: null, changed_by: userId })
  expect(await look()).toMatchObject({ key: { kind: 'removed' }, check: { status: 'failed', failure: 'no_key' } })
  // neither the worker that held the check asks, nor another
  if (claimed) await runScimDiscovery(claimed, settings)
  expect(await runDueScimChecks(settings, new AbortController().signal)).toBe(0)
  expect(sandbox.state().calls.list()).toEqual([])
})

it('F16: a check in the middle of its three requests sends no more after the click', async () => {
  await enterKey()
  await requestScimCheck(organizationId, connectionId, personOf(userId))
  const claimed = await claimScimCheck()
  if (claimed === null) throw new Error('nothing was claimed')
  const { faults, calls } = sandbox.state()
  faults.add({ match: { path: '/api/v2/scim/ServiceProviderConfig' }, action: { type: 'delay', ms: 500 } })
  const asking = runScimDiscovery(claimed, { scimBaseUrl: sandbox.scimBaseUrl, privateKeys: keys.privateKeys })
  // the fault is consumed once the request has arrived
  await expect.poll(() => faults.list()).toEqual([])
  await disconnect()
  await asking
  expect(calls.list().map(({ path }) => path)).toEqual(['/api/v2/scim/ServiceProviderConfig'])
  expect((await look()).endpoints.map(({ lastCheckedAt }) => lastCheckedAt)).toEqual([null, null, null])
})

it.each([['disconnecting'], ['disconnected']])(
  'F16: takes no key and asks nothing while the account is %s, not even with a leftover key',
  async (state) => {
    await enterKey()
    await database.query(`update connection set state = 'disconnecting' where id = $1`, [connectionId])
    if (state !== 'disconnecting')
      await database.query('update connection set state = $2 where id = $1', [connectionId, state])
    expect(await enterKey('another-key')).toBe('disconnected')
    expect(await requestScimCheck(organizationId, connectionId, personOf(userId))).toBe('disconnected')
    expect(await openScimKey(organizationId, connectionId, keys.privateKeys)).toBeNull()
    expect(await database.query('select 1 from scim_check')).toEqual([])
    // once reconnected, it takes a key again
    for (const next of state === 'disconnecting' ? ['disconnected', 'pending'] : ['pending'])
      await database.query('update connection set state = $2 where id = $1', [connectionId, next])
    expect(await enterKey()).toBe('stored')
    expect((await check()).endpoints.map(({ answers }) => answers.length)).toEqual([1, 1, 1])
  },
)

it('shows and changes nothing of another organization', async () => {
  await enterKey()
  await check()
  const [other] = await database.query<{ id: string }>(`insert into organization (name) values ('Other') returning id`)
  const otherId = other?.id ?? ''
  const options = { changedBy: personOf(userId), publicKeys: keys.publicKeys }
  expect(await storeScimKey(otherId, connectionId, 'stolen-key', options)).toBe('missing')
  expect(await removeScimKey(otherId, connectionId, personOf(userId))).toBe(false)
  expect(await requestScimCheck(otherId, connectionId, personOf(userId))).toBeNull()
  expect(await getScimDiscovery(otherId, connectionId)).toBeNull()
})
