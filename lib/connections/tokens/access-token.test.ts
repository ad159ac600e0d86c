import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { personOf } from '#lib/audit/test-support/test-actor.ts'
import { startWorld, type World } from '#lib/auth/test-support/test-world.ts'
import type { ConnectionId, OrganizationId, UserId } from '#lib/ids.ts'
import type { AccessToken } from './access-token.ts'

let world: World
let userId: UserId
let organizationId: OrganizationId
let connectionId: ConnectionId
let getToken: (forceGeneration?: number) => Promise<AccessToken>

const TOKEN_ENDPOINT = { match: { path: '/accounts/oauth2/token/' } }

beforeAll(async () => {
  world = await startWorld({}, 'both')
  userId = await world.addUser('admin@example.com', 'admin')
  const [row] = await world.database.query<{ id: string }>('select id from organization')
  organizationId = row?.id ?? ''
  const { getAccessToken } = await import('./access-token.ts')
  getToken = (forceGeneration) => getAccessToken(organizationId, connectionId, { forceGeneration })
})
afterAll(() => world.close())
afterEach(() => {
  // A16: no token was logged, whatever happened
  const issued = world.sandbox.state().oauth.everIssued()
  expect(world.logLines.filter((line) => issued.some((token) => line.includes(token)))).toEqual([])
})

beforeEach(async () => {
  world.sandbox.reset()
  const { settings, state } = world.sandbox
  const { oauth, requireAccount } = state()
  const redirect = settings.redirectUris[0] ?? ''
  const code = oauth.issueCode(requireAccount().id, 'expenses:read', settings.clientId, redirect)
  const grant = oauth.exchangeCode(code, settings.clientId, redirect)
  if (grant.kind !== 'granted') throw new Error(grant.reason)
  const { storeConnection } = await import('../life/store-connection.ts')
  const intent = { organizationId, userId, actor: personOf(userId), idHash: 'none', connectionId: null }
  connectionId = (await storeConnection(intent, grant.pair, 0)).connectionId
})

const refreshes = () => world.sandbox.state().oauth.summary().tokenCalls.refresh_token ?? {}
/** Expires the access token by the database's clock, unknown to the platform. */
const age = (column = 'access_expires_at', by = '1 second') =>
  world.database.query(
    `update connection_credential set obtained_at = now() - $1::interval - interval '1 hour', ${column} = now() - $1::interval
     where connection_id = $2`,
    [by, connectionId],
  )
const readRow = async () =>
  (
    await world.database.query<Record<string, unknown>>(
      `select c.state, c.state_cause, k.generation, k.lease_owner,
              (select array_agg(a.outcome order by a.started_at) from refresh_attempt a where a.organization_id = c.organization_id and a.connection_id = c.id) as outcomes
       from connection c join connection_credential k on k.organization_id = c.organization_id and k.connection_id = c.id where c.id = $1`,
      [connectionId],
    )
  )[0]
const withCode = (code: string) => expect.objectContaining({ code })

test('uses a fresh token as it is, without a call', async () => {
  const { accessToken, generation } = await getToken()
  expect(world.sandbox.state().oauth.checkAccess(accessToken).kind).toBe('live')
  expect([generation, refreshes()]).toEqual([1, {}])
})

test('renews an old token once, and uses the new one from then on', async () => {
  await age()
  const renewed = await getToken()
  expect(world.sandbox.state().oauth.checkAccess(renewed.accessToken).kind).toBe('live')
  expect(await getToken()).toEqual(renewed)
  expect(refreshes()).toEqual({ success: 1 })
  expect(await readRow()).toEqual({
    state: 'active',
    state_cause: null,
    generation: 2,
    lease_owner: null,
    outcomes: ['renewed'],
  })
})

test('F15: a token is renewed between ten and five minutes before it runs out', async () => {
  await age('access_expires_at', '-601 seconds')
  await getToken()
  expect(refreshes()).toEqual({})
  await age('access_expires_at', '-299 seconds')
  await getToken()
  expect(refreshes()).toEqual({ success: 1 })
})

test('F28: a token the platform refused is renewed once, however many ask', async () => {
  const { generation } = await getToken()
  const tokens = await Promise.all([getToken(generation), getToken(generation), getToken(generation)])
  expect(new Set(tokens.map((token) => token.accessToken)).size).toBe(1)
  expect(refreshes()).toEqual({ success: 1 })
})

test('lifetimes count from the start of the request', async () => {
  await age()
  world.sandbox.state().faults.add({ ...TOKEN_ENDPOINT, action: { type: 'delay', ms: 400, when: 'after' } })
  await getToken()
  const [row] = await world.database.query(
    `select date_trunc('milliseconds', obtained_at) = date_trunc('milliseconds', a.started_at) as "isStart", access_expires_at = obtained_at + interval '1 hour' as access,
            refresh_expires_at = obtained_at + interval '30 days' as refresh
     from connection_credential k join refresh_attempt a on a.organization_id = k.organization_id and a.connection_id = k.connection_id where k.connection_id = $1`,
    [connectionId],
  )
  expect(row).toEqual({ isStart: true, access: true, refresh: true })
})

test('a token that lives seconds is used, not renewed over and over', async () => {
  await age()
  const action = { type: 'rewrite' as const, replace: [['"expires_in":3600', '"expires_in":4']] as [string, string][] }
  world.sandbox.state().faults.add({ ...TOKEN_ENDPOINT, times: 0, action })
  await getToken()
  await getToken()
  expect(refreshes()).toEqual({ success: 1 })
})

test('an answer without a refresh token keeps the current one and its lifetime', async () => {
  await age()
  const read = 'select refresh_expires_at::text from connection_credential where connection_id = $1'
  const before = await world.database.query(read, [connectionId])
  const action = { type: 'rewrite' as const, replace: [['"refresh_token"', '"other"']] as [string, string][] }
  world.sandbox.state().faults.add({ ...TOKEN_ENDPOINT, action })
  await getToken()
  expect(await world.database.query(read, [connectionId])).toEqual(before)
  expect(await readRow()).toMatchObject({ generation: 2, state: 'active' })
})

test('F17: a connection disabled upstream needs a reconnect, and the platform is not asked again', async () => {
  await age()
  world.sandbox.state().oauth.disable(world.sandbox.state().requireAccount().id)
  await expect(getToken()).rejects.toEqual(withCode('connection-needs-reconnect'))
  await expect(getToken()).rejects.toEqual(withCode('connection-needs-reconnect'))
  expect(await readRow()).toMatchObject({
    state: 'needs_reconnect',
    state_cause: 'revoked_or_reused',
    lease_owner: null,
  })
  expect(refreshes()).toEqual({ invalid_grant: 1 })
})

test('names a refresh token that ran out after 30 days as the cause', async () => {
  await age()
  await age('refresh_expires_at')
  world.sandbox.state().clock.advance(31 * 86_400)
  await expect(getToken()).rejects.toEqual(withCode('connection-needs-reconnect'))
  expect(await readRow()).toMatchObject({ state: 'needs_reconnect', state_cause: 'refresh_expired' })
})

test('F6: no call is made if the attempt cannot be recorded', async () => {
  await age()
  await world.database.query('alter table refresh_attempt add constraint closed check (false) not valid')
  await expect(getToken()).rejects.toThrow('closed')
  await world.database.query('alter table refresh_attempt drop constraint closed')
  expect(refreshes()).toEqual({})
  expect(await readRow()).toMatchObject({ lease_owner: null, generation: 1 })
})

test('F18: a sealed token that was moved or damaged is never sent', async () => {
  await age()
  await world.database.query('update connection_credential set generation = 9 where connection_id = $1', [connectionId])
  await expect(getToken()).rejects.toEqual(withCode('token-unreadable'))
  expect(refreshes()).toEqual({})
  expect(await readRow()).toMatchObject({ state: 'active', lease_owner: null })
})

test('only one function sends a refresh token', async () => {
  const { execFileSync } = await import('node:child_process')
  const found = execFileSync('git', [
    'grep',
    '-lE',
    'toRefreshRequest\\(|grant_type.{0,5}refresh_token',
    '--',
    'app',
    'lib',
    'components',
  ])
  const senders = found
    .toString()
    .split('\n')
    .filter((file) => file !== '' && !/\.test\.ts$|^lib\/sandbox\//.test(file))
  expect(senders.toSorted()).toEqual(['lib/connections/tokens/renew-tokens.ts', 'lib/partner/oauth/oauth-requests.ts'])
})
