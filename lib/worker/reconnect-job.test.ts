import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { personOf } from '#lib/audit/test-support/test-actor.ts'
import { listEvents } from '#lib/connections/events/history.ts'
import { requestDisconnect } from '#lib/connections/life/disconnect-request.ts'
import { getConnection, listConnections } from '#lib/connections/life/list-connections.ts'
import { discardOtherAccount, keepAsNewConnection } from '#lib/connections/life/reconnect-choice.ts'
import { storeCandidate } from '#lib/connections/life/reconnect-store.ts'
import { claimCandidate } from '#lib/connections/life/reconnect-work.ts'
import { getAccessToken } from '#lib/connections/tokens/access-token.ts'
import type { ConnectionId, RunId } from '#lib/ids.ts'
import { runSync } from '#lib/sync/reading/run-sync.ts'
import { QUICK_TIMING, type SyncWorld, seedSyncWorld, syncNow } from '#lib/sync/test-support/seed.ts'
import { expectUpstream } from '#lib/sync/test-support/test-upstream.ts'
import { runConnectionWork } from './connection-job.ts'

let world: SyncWorld
let connectionId: ConnectionId
let runId: RunId

const PROFILES = '/api/v1/profiles'
const running = new AbortController().signal

beforeAll(async () => {
  world = await seedSyncWorld({ pageSize: 10 })
})
afterAll(() => world.close())
beforeEach(async () => {
  await world.database.query('delete from connection')
  world.sandbox.reset()
  ;({ connectionId, runId } = await world.connect('meridian'))
})

/** Gives consent for an account; the callback then keeps its tokens for the connection. */
async function consent(account: string, to = connectionId): Promise<boolean> {
  const { settings, state } = world.sandbox
  const { oauth, requireAccount } = state()
  const redirect = settings.redirectUris[0] ?? ''
  const code = oauth.issueCode(requireAccount(account).id, 'expenses:read', settings.clientId, redirect)
  const grant = oauth.exchangeCode(code, settings.clientId, redirect)
  if (grant.kind !== 'granted') throw new Error(grant.reason)
  const { organizationId, userId } = world
  return storeCandidate(
    { organizationId, userId, actor: personOf(userId), idHash: 'none', connectionId: to },
    grant.pair,
    0,
  )
}
const work = () => runConnectionWork(running)
const read = (id: string = connectionId) => getConnection(world.organizationId, id)
const run = (id: string) =>
  runSync(
    { organizationId: world.organizationId, runId: id },
    { partner: world.partner, timing: QUICK_TIMING, signal: running },
  )
const end = (cause = 'lost_response') =>
  world.database.query(`update connection set state = 'needs_reconnect', state_cause = $2 where id = $1`, [
    connectionId,
    cause,
  ])
const history = async () => {
  const { events } = await listEvents(world.organizationId, connectionId, { limit: 50 })
  return events.map(({ kind, toState, cause }) => [kind, toState, cause].filter(Boolean).join(' ')).reverse()
}
/** All of a connection's rows of account data. */
const fingerprint = async () =>
  JSON.stringify(
    await world.database.query(
      `select (select json_agg(p order by p.id) from profile p where connection_id = $1) as profiles,
              (select json_agg(i.serial_number order by i.serial_number) from invoice i where connection_id = $1) as invoices,
              (select json_agg(l.id order by l.id) from line l where connection_id = $1) as lines,
              (select json_agg(r.raw order by r.raw) from rejected_line r where connection_id = $1) as rejected`,
      [connectionId],
    ),
  )

test('F3: reconnecting the same account keeps id, history and data, and works again', async () => {
  await syncNow(world, connectionId)
  await end()
  const before = await fingerprint()
  expect(await consent('meridian')).toBe(true)
  expect(await read()).toMatchObject({ state: 'pending', candidate: { status: 'unchecked', consentedBy: 'Ada Admin' } })
  await work()
  expect(await read()).toMatchObject({ id: connectionId, state: 'active', stateCause: null, candidate: null })
  expect(await fingerprint()).toBe(before)
  const { accessToken, generation } = await getAccessToken(world.organizationId, connectionId)
  expect(world.sandbox.state().oauth.checkAccess(accessToken).kind).toBe('live')
  expect(generation).toBe(2)
  expect((await history()).slice(-5)).toEqual([
    'state needs_reconnect lost_response',
    'consent_given',
    'state pending',
    'account_confirmed',
    'state active',
  ])
})

test.each(['lost_response', 'revoked_or_reused', 'refresh_expired'])(
  'F3, F4, F17: a sync that ended with the link (%s) continues at its checkpoint after the reconnect',
  async (cause) => {
    const lines = '/api/v1/invoices/lines'
    world.sandbox.state().faults.add({ match: { path: lines }, nth: 6, action: { type: 'status', status: 401 } })
    world.sandbox.state().faults.add({
      match: { path: '/accounts/oauth2/token/' },
      action: { type: 'status', status: 400, when: 'before', body: '{"error":"invalid_grant"}' },
    })
    expect(await run(runId)).toBe('failed')
    expect((await read())?.state).toBe('needs_reconnect')
    await world.database.query('update connection set state_cause = $2 where id = $1', [connectionId, cause])
    const [stopped] = await world.database.query('select * from sync_run where id = $1', [runId])
    expect(stopped).toMatchObject({ phase: 'lines', error_code: 'connection-needs-reconnect' })
    expect(stopped?.cursor_offset).toBeGreaterThan(0)

    await consent('meridian')
    await work()
    expect(await read()).toMatchObject({ run: { id: runId, status: 'queued', errorCode: null } })
    expect(await history()).toContain('sync_resumed')
    world.sandbox.state().calls.clear()
    expect(await run(runId)).toBe('succeeded')
    const asked = world.sandbox
      .state()
      .calls.list()
      .filter(({ path }) => path.startsWith('/api/v1'))
    expect(asked[0]?.query).toContain(`offset=${stopped?.cursor_offset}`)
    expect(asked.every(({ path }) => path === lines)).toBe(true)
    await expectUpstream(world, connectionId, 'meridian')
  },
)

test('a sync that ended more than a day ago is read from its start', async () => {
  await run(runId)
  await world.database.query(
    `update sync_run set status = 'failed', error_code = 'connection-needs-reconnect', started_at = now() - interval '25 hours'`,
  )
  await end()
  await consent('meridian')
  await work()
  expect((await read())?.run).toMatchObject({ status: 'queued', trigger: 'connect', phase: null })
})

test('another account is refused: the state says so, and the connection stores nothing of it', async () => {
  await syncNow(world, connectionId)
  await end()
  const before = await fingerprint()
  await consent('nordlicht')
  await work()
  expect(await read()).toMatchObject({
    state: 'needs_reconnect',
    stateCause: 'other_account',
    candidate: { status: 'other_account', heldBy: null, profileNames: expect.arrayContaining([expect.any(String)]) },
  })
  expect(await fingerprint()).toBe(before)
  expect((await read())?.run?.status).toBe('succeeded')
  await expect(getAccessToken(world.organizationId, connectionId)).rejects.toMatchObject({
    code: 'connection-needs-reconnect',
  })
  expect(await history()).toContain('state needs_reconnect other_account')
  // afterwards the right account is accepted
  await consent('meridian')
  await work()
  expect(await read()).toMatchObject({ state: 'active', stateCause: null, candidate: null })
})

test('the other account can become a new connection, whose sync brings exactly its data', async () => {
  await syncNow(world, connectionId)
  await end()
  await consent('nordlicht')
  await work()
  const kept = await keepAsNewConnection(world.organizationId, connectionId, personOf(world.userId))
  if (kept.kind !== 'kept') throw new Error(kept.kind)
  expect(await read(kept.connectionId)).toMatchObject({ state: 'pending' })
  await work()
  const made = await read(kept.connectionId)
  expect(made).toMatchObject({ state: 'active', run: { status: 'queued' }, connectedBy: 'Ada Admin' })
  expect(await run(made?.run?.id ?? '')).toBe('succeeded')
  await expectUpstream(world, kept.connectionId, 'nordlicht')
  await expectUpstream(world, connectionId, 'meridian')
  expect(await read()).toMatchObject({ state: 'needs_reconnect', stateCause: 'other_account', candidate: null })
})

test('an account that is already connected is not offered again', async () => {
  const other = await world.connect('nordlicht')
  await syncNow(world, other.connectionId)
  await syncNow(world, connectionId)
  await end()
  await consent('nordlicht')
  await work()
  expect((await read())?.candidate?.heldBy?.id).toBe(other.connectionId)
  expect(await keepAsNewConnection(world.organizationId, connectionId, personOf(world.userId))).toEqual({
    kind: 'held',
  })
  expect(await listConnections(world.organizationId)).toHaveLength(2)
})

test('another account’s tokens are destroyed when discarded, and after an hour in any case', async () => {
  await syncNow(world, connectionId)
  await end()
  const count = async () => (await world.database.query('select from connection_candidate')).length
  await consent('nordlicht')
  await work()
  expect(await discardOtherAccount(world.organizationId, connectionId, personOf(world.userId))).toBe(true)
  expect(await count()).toBe(0)
  await consent('nordlicht')
  await work()
  await world.database.query(`update connection_candidate set access_expires_at = now() - interval '1 second'`)
  expect((await read())?.candidate).toBeNull()
  expect(await keepAsNewConnection(world.organizationId, connectionId, personOf(world.userId))).toEqual({
    kind: 'gone',
  })
  await work()
  expect(await count()).toBe(0)
  expect((await history()).at(-1)).toBe('candidate_destroyed expired')
})

test('an active connection keeps its tokens until a new consent is confirmed, or if it is another account', async () => {
  await syncNow(world, connectionId)
  await consent('nordlicht')
  expect((await read())?.state).toBe('active')
  await work()
  expect(await read()).toMatchObject({ state: 'active', candidate: { status: 'other_account' } })
  expect((await getAccessToken(world.organizationId, connectionId)).generation).toBe(1)
  await consent('meridian')
  await work()
  expect((await getAccessToken(world.organizationId, connectionId)).generation).toBe(2)
})

test('after a disconnect only the same account may return if data was kept, any if it was deleted', async () => {
  await syncNow(world, connectionId)
  const disconnect = async (dataChoice: 'keep' | 'delete') => {
    await requestDisconnect(world.organizationId, connectionId, { dataChoice, actor: personOf(world.userId) })
    expect(await consent('meridian')).toBe(false)
    await work()
    expect((await read())?.state).toBe('disconnected')
  }
  await disconnect('keep')
  await consent('nordlicht')
  await work()
  expect(await read()).toMatchObject({ state: 'disconnected', stateCause: 'other_account' })
  await consent('meridian')
  await work()
  expect(await read()).toMatchObject({ state: 'active', name: expect.stringContaining('Meridian') })
  expect((await getAccessToken(world.organizationId, connectionId)).generation).toBe(2)
  await disconnect('delete')
  await consent('nordlicht')
  await work()
  expect(await read()).toMatchObject({ state: 'active', name: null, dataDeletedAt: null })
  await run((await read())?.run?.id ?? '')
  await expectUpstream(world, connectionId, 'nordlicht')
  // generation 3, after two lives of the connection
  expect((await getAccessToken(world.organizationId, connectionId)).generation).toBe(3)
})

test.each([
  ['a platform that is away', { type: 'status', status: 503 }, 'throttled'],
  ['an account without profiles', { type: 'empty_list' }, 'no_profiles'],
] as const)('the account check waits for %s', async (_, action, problem) => {
  await syncNow(world, connectionId)
  await end()
  await consent('meridian')
  world.sandbox.state().faults.add({ match: { path: PROFILES }, action })
  await work()
  expect(await read()).toMatchObject({ state: 'pending', candidate: { attempts: 1, lastProblem: problem } })
  await world.database.query('update connection_candidate set next_try_at = now()')
  await work()
  expect(await read()).toMatchObject({ state: 'active' })
})

test.each([
  ['a missing scope', { type: 'status', status: 403 }, 'forbidden'],
  ['a consent withdrawn at once', { type: 'status', status: 401 }, 'unauthorized'],
] as const)('after %s the account stays unknown, and the tokens are destroyed', async (_, action, cause) => {
  await syncNow(world, connectionId)
  await end()
  await consent('meridian')
  world.sandbox.state().faults.add({ match: { path: PROFILES }, action })
  await work()
  expect(await read()).toMatchObject({ state: 'needs_reconnect', stateCause: 'not_confirmed', candidate: null })
  expect(await history()).toContain(`not_confirmed ${cause}`)
  expect(await world.database.query('select from connection_candidate')).toEqual([])
})

test('a consent not checked within the life of its access token is given up', async () => {
  await syncNow(world, connectionId)
  await end()
  await consent('meridian')
  await world.database.query(`update connection_candidate set access_expires_at = now() - interval '1 second'`)
  await work()
  expect(await read()).toMatchObject({ state: 'needs_reconnect', stateCause: 'not_confirmed', candidate: null })
})

test('a worker whose claimed consent was replaced settles nothing', async () => {
  await syncNow(world, connectionId)
  await end()
  await consent('nordlicht')
  const first = await claimCandidate()
  if (first === null) throw new Error('nothing was claimed')
  await consent('meridian')
  const { checkCandidate } = await import('#lib/connections/life/reconnect-work.ts')
  await checkCandidate(first)
  expect(await read()).toMatchObject({ state: 'pending', candidate: { status: 'unchecked' } })
  await work()
  expect(await read()).toMatchObject({ state: 'active' })
})

test('F18: a consent’s tokens cannot be opened if moved into the credentials', async () => {
  await syncNow(world, connectionId)
  await consent('nordlicht')
  await world.database.query(
    `update connection_credential k set sealed_tokens = n.sealed_tokens, generation = n.generation
     from connection_candidate n where n.connection_id = k.connection_id`,
  )
  await expect(getAccessToken(world.organizationId, connectionId)).rejects.toMatchObject({ code: 'token-unreadable' })
})

test('A8: another organization cannot decide about a refused account', async () => {
  await syncNow(world, connectionId)
  await end()
  await consent('nordlicht')
  await work()
  const stranger = '00000000-0000-4000-8000-000000000000'
  expect(await keepAsNewConnection(stranger, connectionId, personOf(world.userId))).toEqual({ kind: 'gone' })
  expect(await discardOtherAccount(stranger, connectionId, personOf(world.userId))).toBe(false)
  expect((await read())?.candidate?.status).toBe('other_account')
})
