import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { personOf } from '#lib/audit/test-support/test-actor.ts'
import { listEvents } from '#lib/connections/events/history.ts'
import { ERASED_TABLES, KEPT_TABLES } from '#lib/connections/life/disconnect-erase.ts'
import { requestDisconnect } from '#lib/connections/life/disconnect-request.ts'
import { claimDisconnect, workOnDisconnect } from '#lib/connections/life/disconnect-work.ts'
import { getConnection } from '#lib/connections/life/list-connections.ts'
import { requestSync } from '#lib/connections/runs/request-sync.ts'
import { getAccessToken } from '#lib/connections/tokens/access-token.ts'
import { listSpooled, removeSpooled, reserveSpool } from '#lib/connections/tokens/spool.ts'
import type { ConnectionId, RunId } from '#lib/ids.ts'
import { runSync } from '#lib/sync/reading/run-sync.ts'
import { QUICK_TIMING, type SyncWorld, seedSyncWorld, syncNow } from '#lib/sync/test-support/seed.ts'
import { runConnectionWork } from './connection-job.ts'

let world: SyncWorld
let connectionId: ConnectionId
let runId: RunId
let ever: string[]

const REVOKE = '/accounts/oauth2/revoke_token/'
const TOKEN = '/accounts/oauth2/token/'
const running = new AbortController().signal

beforeAll(async () => {
  world = await seedSyncWorld({ pageSize: 50 })
})
afterAll(() => world.close())
beforeEach(async () => {
  world.sandbox.reset()
  ;({ connectionId, runId } = await world.connect('meridian'))
})
afterEach(async () => {
  // A16, A23: no token is in any table in the clear, whatever happened
  ever = world.sandbox.state().oauth.everIssued()
  const tables = await world.database.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public'`,
  )
  for (const { name } of tables) {
    const dump = JSON.stringify(await world.database.query(`select t::text from "${name}" t`))
    expect(ever.filter((token) => dump.includes(token))).toEqual([])
  }
  await world.database.query('delete from connection')
})

const disconnect = (dataChoice: 'keep' | 'delete' = 'keep') =>
  requestDisconnect(world.organizationId, connectionId, { dataChoice, actor: personOf(world.userId) })
const work = () => runConnectionWork(running)
const addFault = (fault: Parameters<ReturnType<SyncWorld['sandbox']['state']>['faults']['add']>[0]) =>
  world.sandbox.state().faults.add(fault)
const read = () => getConnection(world.organizationId, connectionId)
const history = async () => {
  const { events } = await listEvents(world.organizationId, connectionId, { limit: 50 })
  return events.map(({ kind, toState, cause }) => [kind, toState, cause].filter(Boolean).join(' ')).reverse()
}
const revokes = () => world.sandbox.state().oauth.counters.revokeCalls
const isUpstreamAlive = () => world.sandbox.state().oauth.isEnabled('meridian')
const count = async (table: string) =>
  Number(
    (await world.database.query(`select count(*) as rows from ${table} where connection_id = $1`, [connectionId]))[0]
      ?.rows,
  )
/** Ends the pause of a wish. */
const passPause = () => world.database.query('update disconnection set next_try_at = now() where finished_at is null')
const runCall = (id: string) =>
  runSync(
    { organizationId: world.organizationId, runId: id },
    { partner: world.partner, timing: QUICK_TIMING, signal: running },
  )

test('F16: a revoke answered 200 ends the link, destroys the tokens and keeps the data', async () => {
  await syncNow(world, connectionId)
  const lines = await count('line')
  expect(await disconnect('keep')).toBe('accepted')
  expect((await read())?.state).toBe('disconnecting')
  await work()
  expect(revokes()).toEqual({ disabled: 1 })
  expect(isUpstreamAlive()).toBe(false)
  expect(await read()).toMatchObject({
    state: 'disconnected',
    lineCount: lines,
    refreshExpiresAt: null,
    accessExpiresAt: null,
    disconnect: null,
    dataDeletedAt: null,
  })
  expect(lines).toBeGreaterThan(0)
  expect(await count('line')).toBe(lines)
  expect(await count('connection_credential')).toBe(0)
  expect((await history()).slice(-5)).toEqual([
    'state disconnecting',
    'disconnect_requested keep',
    'link_ended revoked',
    'tokens_destroyed',
    'state disconnected',
  ])
})

test('F16: the request has token, hint and client credentials in its body, none in query or headers', async () => {
  await disconnect()
  await work()
  const call = world.sandbox
    .state()
    .calls.list()
    .find(({ path }) => path === REVOKE)
  expect(call).toMatchObject({ method: 'POST', query: '', status: 200 })
  expect(call?.headerNames).not.toContain('authorization')
})

test.each([
  ['503', { type: 'status', status: 503, when: 'before' }, 'throttled'],
  ['500', { type: 'status', status: 500, when: 'before' }, 'unavailable'],
  ['a lost answer', { type: 'drop_before' }, 'unreachable'],
  [
    'a refusal of our client id',
    { type: 'status', status: 401, when: 'before', body: '{"error":"invalid_client"}' },
    'client_refused',
  ],
  [
    'a redirect',
    { type: 'status', status: 302, when: 'before', headers: { location: 'http://127.0.0.1:9/' } },
    'redirect',
  ],
] as const)(
  'F16: after %s the link counts as alive: revoked later, and unused meanwhile',
  async (_, action, problem) => {
    addFault({ match: { path: REVOKE }, times: 2, action })
    await disconnect()
    await work()
    const first = await read()
    expect(first).toMatchObject({
      state: 'disconnecting',
      disconnect: { attempts: 1, lastProblem: problem, phase: 'ending_link' },
    })
    expect(await count('connection_credential')).toBe(1)
    expect(isUpstreamAlive()).toBe(true)
    await work() // nothing is due yet
    expect((await read())?.disconnect?.attempts).toBe(1)
    await expect(getAccessToken(world.organizationId, connectionId)).rejects.toMatchObject({
      code: 'connection-needs-reconnect',
    })
    await passPause()
    await work()
    const second = await read()
    expect(second?.disconnect?.attempts).toBe(2)
    const pause = (read: typeof first) => Date.parse(read?.disconnect?.nextTryAt ?? '') - Date.now()
    expect(pause(second)).toBeGreaterThan(pause(first))
    await passPause()
    await work()
    expect((await read())?.state).toBe('disconnected')
    expect(isUpstreamAlive()).toBe(false)
    // the same problem twice is one event
    expect((await history()).filter((event) => event.startsWith('revoke_failed'))).toEqual([`revoke_failed ${problem}`])
  },
)

test('F16: the revoke endpoint’s Retry-After is respected', async () => {
  addFault({
    match: { path: REVOKE },
    action: { type: 'status', status: 503, headers: { 'retry-after': '1800' }, when: 'before' },
  })
  await disconnect()
  await work()
  const wait = Date.parse((await read())?.disconnect?.nextTryAt ?? '') - Date.now()
  expect(wait).toBeGreaterThan(1_790_000)
  expect(wait).toBeLessThan(1_810_000)
})

test('F16: an answer lost after the platform acted ends as revoked too', async () => {
  addFault({ match: { path: REVOKE }, action: { type: 'drop_after_effect' } })
  await disconnect()
  await work()
  expect((await read())?.state).toBe('disconnecting')
  await passPause()
  await work()
  expect((await read())?.state).toBe('disconnected')
  expect(revokes()).toEqual({ disabled: 1, no_effect: 1 })
})

test('F16: a disconnect waits for a refresh under way, and revokes the token it brings', async () => {
  world.sandbox.state().clock.advance(2 * 3600)
  await world.database.query(`update connection_credential set access_expires_at = now() - interval '1 second'`)
  addFault({ match: { path: TOKEN }, action: { type: 'delay', ms: 700, when: 'after' } })
  const refresh = getAccessToken(world.organizationId, connectionId).then(
    () => 'a token',
    (error: { code?: string }) => error.code,
  )
  await expect.poll(async () => (await read())?.state).toBe('refreshing')
  await disconnect()
  await work()
  // nothing is revoked while the lease lives: the refresh is using up the current token
  expect(revokes()).toEqual({})
  expect((await read())?.state).toBe('disconnecting')
  // the refresh ends, stores its tokens, and hands none out
  expect(await refresh).toBe('connection-needs-reconnect')
  await passPause()
  await work()
  expect(revokes()).toEqual({ disabled: 1 })
  expect(world.sandbox.state().oauth.liveTokens()).toEqual([])
  expect((await read())?.state).toBe('disconnected')
  expect(await count('connection_credential')).toBe(0)
})

test('F16: a refresh whose worker died may have used up the token, and the history says so', async () => {
  await world.database.query(
    `insert into refresh_attempt (organization_id, connection_id, generation) values ($1, $2, 1)`,
    [world.organizationId, connectionId],
  )
  await disconnect()
  await work()
  const { events } = await listEvents(world.organizationId, connectionId, { limit: 5 })
  expect(events.find(({ kind }) => kind === 'link_ended')).toMatchObject({ cause: 'revoked', detail: 'in_doubt' })
})

test.each(['keep', 'delete'] as const)(
  'F16: kept answers with tokens go too, on this machine’s disk and in the database (%s)',
  async (choice) => {
    const other = await world.connect('nordlicht')
    const ids = [connectionId, other.connectionId]
    // this version can read neither; the first is in the database, the second never got there
    for (const id of ids) {
      await world.database.query(
        `insert into refresh_attempt (organization_id, connection_id, generation, finished_at, outcome, sealed_answer, answer_key_id)
         values ($1, $2, 1, now(), 'answer_kept', 'sealed', 'key')`,
        [world.organizationId, id],
      )
      await (await reserveSpool(id, 1)).keep('not to be opened')
    }
    await disconnect(choice)
    await work()
    expect((await read())?.state).toBe('disconnected')
    const left = await world.database.query<{ id: string }>(
      'select connection_id as id from refresh_attempt where sealed_answer is not null or answer_key_id is not null',
    )
    expect(left.map(({ id }) => id)).toEqual([other.connectionId])
    const spooled = await listSpooled()
    expect(spooled.map((file) => file.connectionId)).toEqual([other.connectionId])
    for (const file of spooled) await removeSpooled(file)
  },
)

test('F16: after the click a run under way stores nothing, and no run begins', async () => {
  addFault({ match: { path: '/api/v1/invoices' }, action: { type: 'delay', ms: 600, when: 'after' } })
  const run = runCall(runId)
  await expect.poll(async () => (await read())?.run?.phase).toBe('invoices')
  await disconnect()
  expect(await run).toBe('fenced')
  expect(await count('invoice')).toBe(0)
  expect((await read())?.run).toMatchObject({ status: 'failed', errorCode: 'connection-disconnected' })
  await work()
  const calls = world.sandbox.state().calls.list().length
  const wish = { trigger: 'manual', requestedBy: personOf(world.userId) } as const
  await expect(requestSync(world.organizationId, connectionId, wish)).rejects.toMatchObject({
    code: 'connection-disconnected',
  })
  // a run that slipped in beside the click
  const [slipped] = await world.database.query<{ id: string }>(
    `insert into sync_run (organization_id, connection_id, trigger) values ($1, $2, 'manual') returning id`,
    [world.organizationId, connectionId],
  )
  expect(await runCall(slipped?.id as string)).toBe('failed')
  expect(world.sandbox.state().calls.list()).toHaveLength(calls)
})

test('F16: a token that has run out or cannot be opened is not tried forever', async () => {
  addFault({ match: { path: REVOKE }, times: 0, action: { type: 'status', status: 503, when: 'before' } })
  await world.database.query(`update connection_credential set refresh_expires_at = now() - interval '1 second'`)
  await disconnect()
  await work()
  expect(await history()).toContain('link_ended expired')
  ;({ connectionId } = await world.connect('nordlicht'))
  await world.database.query(`update connection_credential set sealed_tokens = 'damaged' where connection_id = $1`, [
    connectionId,
  ])
  await disconnect()
  await work()
  expect(await history()).toContain('link_ended unreadable')
  expect((await read())?.state).toBe('disconnected')
})

test('a token the platform calls invalid has ended', async () => {
  addFault({
    match: { path: REVOKE },
    action: { type: 'status', status: 400, when: 'before', body: '{"error":"invalid_grant"}' },
  })
  await disconnect()
  await work()
  expect(await history()).toContain('link_ended already_dead')
})

describe('data to delete', () => {
  test('goes in batches, with the tally; history, runs and other accounts stay', async () => {
    await syncNow(world, connectionId)
    const other = await world.connect('nordlicht')
    await syncNow(world, other.connectionId)
    const kept = await getConnection(world.organizationId, other.connectionId)
    expect(kept?.lineCount).toBeGreaterThan(100)
    await world.database.query(
      `insert into sync_arrival select organization_id, id, 'lines', current_date, 1 from sync_run`,
    )
    await disconnect('delete')
    await work()
    for (const table of ['sync_page', 'sync_arrival'])
      expect(await count(`${table} p join sync_run r on r.id = p.run_id`)).toBe(0)
    for (const table of ERASED_TABLES) expect({ table, rows: await count(table) }).toEqual({ table, rows: 0 })
    expect(await read()).toMatchObject({
      state: 'disconnected',
      lineCount: 0,
      invoiceCount: 0,
      profiles: [],
      run: { status: 'succeeded' },
    })
    expect((await read())?.dataDeletedAt).not.toBeNull()
    expect((await history()).slice(-2)).toEqual(['data_deleted', 'state disconnected'])
    expect(await getConnection(world.organizationId, other.connectionId)).toEqual(kept)
  })

  test('takes with it how names look that no other line of the organization has', async () => {
    const other = await world.connect('nordlicht')
    await syncNow(world, other.connectionId)
    const looks = async () => (await world.database.query('select name from name_look order by name')).length
    const ofOther = await looks()
    expect(ofOther).toBeGreaterThan(0)
    await syncNow(world, connectionId)
    await world.database.query(
      `insert into name_look (organization_id, name, look) values ($1, 'Gone with its account ', 'Gone with its account')`,
      [world.organizationId],
    )
    await disconnect('delete')
    await work()
    expect(await looks()).toBe(ofOther)
  })

  test('takes with it what was said about its lines, and about trips and groups that no other account has', async () => {
    await syncNow(world, connectionId)
    const [line] = await world.database.query<{ id: string; trip: string }>(
      'select id, trip_id as trip from line where trip_id is not null limit 1',
    )
    await world.database.query(
      `with t as (
         insert into thread (organization_id, kind, connection_id, key)
         values ($1, 'line', $2, $3), ($1, 'trip', null, $4), ($1, 'group', null, 'cost_center=gone') returning organization_id, id),
       m as (insert into message (organization_id, thread_id, author_id, author_name)
             select organization_id, id, $5, 'Ada' from t returning organization_id, id)
       insert into message_version (organization_id, message_id, version, text) select organization_id, id, 1, 'Words' from m`,
      [world.organizationId, connectionId, line?.id, line?.trip, world.userId],
    )
    const words = async () => (await world.database.query('select from message_version')).length
    expect(await words()).toBe(3)
    await disconnect('keep')
    await work()
    expect(await words()).toBe(3)
    ;({ connectionId } = await world.connect('meridian'))
    await syncNow(world, connectionId)
    await world.database.query(`update thread set connection_id = $1 where kind = 'line'`, [connectionId])
    await disconnect('delete')
    await work()
    // the first connection has its lines still
    expect(await world.database.query('select kind from thread')).toEqual([{ kind: 'trip' }])
  })

  test('is not deleted before the link has ended', async () => {
    await syncNow(world, connectionId)
    addFault({ match: { path: REVOKE }, action: { type: 'status', status: 503, when: 'before' } })
    const before = await count('line')
    await disconnect('delete')
    await work()
    expect(await count('line')).toBe(before)
    await passPause()
    await work()
    expect(await count('line')).toBe(0)
  })

  test('continues where a dead worker stopped, and a fenced worker does nothing', async () => {
    await syncNow(world, connectionId)
    await disconnect('delete')
    const first = await claimDisconnect()
    const stop = new AbortController()
    stop.abort()
    if (first === null) throw new Error('nothing was claimed')
    await workOnDisconnect(first, stop.signal)
    expect(await read()).toMatchObject({ state: 'disconnecting', disconnect: { phase: 'deleting_data' } })
    expect(revokes()).toEqual({ disabled: 1 })
    const second = await claimDisconnect()
    if (second === null) throw new Error('nothing was claimed')
    await workOnDisconnect({ ...first, outcome: 'revoked' }, running)
    expect(await count('line')).toBeGreaterThan(0)
    await workOnDisconnect(second, running)
    expect(await count('line')).toBe(0)
    expect((await read())?.state).toBe('disconnected')
    expect(revokes()).toEqual({ disabled: 1 })
  })

  test('covers every table: each one with a connection is erased, kept or holds tokens', async () => {
    const tables = await world.database.query<{ name: string }>(
      `select table_name as name from information_schema.columns
       where table_schema = 'public' and column_name = 'connection_id'
         and obj_description(to_regclass(table_name), 'pg_class') is distinct from 'kept answer' order by 1`,
    )
    const tokens = ['connection_credential', 'connection_candidate']
    expect(tables.map(({ name }) => name)).toEqual([...ERASED_TABLES, ...KEPT_TABLES, ...tokens].sort())
  })
})

test('disconnects once when asked twice, and never another organization’s connection', async () => {
  expect(await Promise.all([disconnect('keep'), disconnect('delete')]).then((answers) => answers.sort())).toEqual([
    'accepted',
    'not_possible',
  ])
  expect(await count('disconnection')).toBe(1)
  const stranger = '00000000-0000-4000-8000-000000000000'
  const none = stranger as ConnectionId
  expect(await requestDisconnect(stranger, connectionId, { dataChoice: 'delete', actor: personOf(world.userId) })).toBe(
    'missing',
  )
  expect(
    await requestDisconnect(world.organizationId, none, { dataChoice: 'delete', actor: personOf(world.userId) }),
  ).toBe('missing')
})

test('after a disconnect and a reconnect, tokens get a generation never used before', async () => {
  await world.database.query('update connection_credential set generation = generation where connection_id = $1', [
    connectionId,
  ])
  await disconnect()
  await work()
  const [row] = await world.database.query('select last_generation from connection where id = $1', [connectionId])
  expect(row).toEqual({ last_generation: 1 })
})
