import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { ConnectionId, RunId } from '#lib/ids.ts'
import type { FaultRequest } from '#lib/sandbox/faults.ts'
import type { SyncTiming } from '../runs/timing.ts'
import { QUICK_TIMING, type SyncWorld, seedSyncWorld, syncNow } from '../test-support/seed.ts'
import { dataCalls, expectUpstream } from '../test-support/test-upstream.ts'
import { runSync } from './run-sync.ts'

const LINES = '/api/v1/invoices/lines'

let world: SyncWorld
let connectionId: ConnectionId
let runId: RunId

beforeAll(async () => {
  world = await seedSyncWorld({ pageSize: 10 })
})
afterAll(() => world.close())

beforeEach(async () => {
  world.sandbox.reset()
  const connected = await world.connect('meridian')
  connectionId = connected.connectionId
  runId = connected.runId
})

const addFault = (fault: FaultRequest) => world.sandbox.state().faults.add(fault)

async function readRun() {
  const [run] = await world.database.query('select * from sync_run where id = $1', [runId])
  return run as Record<string, number | string | Date | null>
}

function run(signal = new AbortController().signal, timing: Partial<SyncTiming> = {}) {
  const { organizationId, partner } = world
  return runSync({ organizationId, runId }, { partner, timing: { ...QUICK_TIMING, ...timing }, signal })
}
const PATIENCE = { timeout: 10_000 }

test.each<[string, FaultRequest['action']]>([
  ['cut off in the middle', { type: 'truncate' }],
  ['cut off, with the length of the cut', { type: 'truncate', keepLength: false }],
  ['HTML instead of JSON', { type: 'html' }],
  ['another content type', { type: 'content_type', value: 'text/html' }],
  ['a 500', { type: 'status', status: 500 }],
  ['a 429 with Retry-After 0', { type: 'status', status: 429, headers: { 'retry-after': '0' } }],
  ['a reset connection', { type: 'drop_before' }],
  ['a gzip bomb', { type: 'gzip_bomb', megabytes: 64 }],
])('F22: asks again for a page that came as %s, and loses nothing', async (_, action) => {
  addFault({ match: { path: LINES }, nth: 3, times: 2, action })
  expect(await run()).toBe('succeeded')
  await expectUpstream(world, connectionId, 'meridian')
  const calls = dataCalls(world).filter(({ list }) => list === '/invoices/lines')
  expect(calls.map(({ offset }) => offset)).toEqual([0, 10, 20, 20, 20, 30, 40, 50, 60, 70, 80, 90])
})

test('F28: a 401 midway renews the token once and asks for the same page again', async () => {
  addFault({ match: { path: LINES }, nth: 4, action: { type: 'status', status: 401 } })
  expect(await run()).toBe('succeeded')
  await expectUpstream(world, connectionId, 'meridian')
  const { tokenCalls } = world.sandbox.state().oauth.counters
  expect(tokenCalls.refresh_token).toEqual({ success: 1 })
  const offsets = dataCalls(world).map(({ list, offset, status }) => `${list} ${offset} ${status}`)
  expect(offsets.filter((call) => call.startsWith('/invoices/lines 30'))).toEqual([
    '/invoices/lines 30 401',
    '/invoices/lines 30 200',
  ])
})

test.each([
  ['at once', 1],
  ['in the middle, of pages that were asked for ahead', 3],
])(
  'F28: a platform that answers 401 to every token, %s, is asked for one new one; then the run ends',
  async (_, nth) => {
    addFault({ match: { path: LINES }, nth, times: 0, action: { type: 'status', status: 401 } })
    expect(await run(undefined, { pagesAhead: 8 })).toBe('failed')
    expect(world.sandbox.state().oauth.counters.tokenCalls.refresh_token).toEqual({ success: 1 })
    expect(await readRun()).toMatchObject({ status: 'failed', error_code: 'partner-token-refused' })
    // each page that was under way, once more at most
    expect(dataCalls(world).filter(({ status }) => status === 401).length).toBeLessThanOrEqual(16)
  },
)

test('F28: an account whose access token has expired is read after one refresh', async () => {
  world.sandbox.state().clock.advance(2 * 3600)
  expect(await run()).toBe('succeeded')
  expect(world.sandbox.state().oauth.counters.tokenCalls.refresh_token).toEqual({ success: 1 })
})

test('F28: a missing scope ends the run at once, and says so', async () => {
  addFault({ match: { path: '/api/v1/invoices' }, times: 0, action: { type: 'status', status: 403 } })
  expect(await run()).toBe('failed')
  expect(await readRun()).toMatchObject({ status: 'failed', error_code: 'partner-forbidden' })
  expect((await readRun()).error_text).toContain('scope')
  expect(dataCalls(world).filter(({ list }) => list === '/invoices')).toHaveLength(1)
})

test('F17: an integration disabled upstream ends the run and asks to reconnect, without a loop', async () => {
  world.sandbox.state().oauth.disable('meridian')
  expect(await run()).toBe('failed')
  expect(await readRun()).toMatchObject({ status: 'failed', error_code: 'connection-needs-reconnect' })
  expect(dataCalls(world)).toHaveLength(1)
  const [connection] = await world.database.query('select state from connection where id = $1', [connectionId])
  expect(connection).toEqual({ state: 'needs_reconnect' })
})

test('F27: a Retry-After too long to wait for postpones the run by that long, and the run says why', async () => {
  addFault({
    match: { path: LINES },
    nth: 2,
    action: { type: 'status', status: 503, headers: { 'retry-after': '3600' } },
  })
  expect(await run()).toBe('postponed')
  const put = await readRun()
  expect(put).toMatchObject({ status: 'running', error_code: 'partner-throttled', lines_received: 10 })
  const [wait] = await world.database.query<{ seconds: number }>(
    'select extract(epoch from lease_until - now())::int as seconds from sync_run where id = $1',
    [runId],
  )
  expect(wait?.seconds).toBeGreaterThan(3590)
  expect(await run()).toBe('not-taken')
  // the hour passes
  await world.database.query('update sync_run set lease_until = now() where id = $1', [runId])
  expect(await run()).toBe('succeeded')
  await expectUpstream(world, connectionId, 'meridian')
  expect(await readRun()).toMatchObject({ error_code: null, error_text: null, duplicate: 0 })
})

test('a platform that stays away fails the run after bounded tries, and what arrived is kept', async () => {
  addFault({ match: { path: LINES }, nth: 3, times: 0, action: { type: 'status', status: 500 } })
  const outcomes: string[] = []
  for (let take = 0; take < 20 && outcomes.at(-1) !== 'failed'; take++) {
    await world.database.query('update sync_run set lease_until = now() where id = $1 and lease_until > now()', [runId])
    outcomes.push(await run())
  }
  expect(outcomes.filter((outcome) => outcome === 'postponed')).toHaveLength(QUICK_TIMING.maxAttempts)
  expect(outcomes.at(-1)).toBe('failed')
  expect(await readRun()).toMatchObject({ status: 'failed', error_code: 'partner-unreachable', lines_received: 20 })
  const calls = dataCalls(world).filter(({ list }) => list === '/invoices/lines')
  expect(calls.length).toBe(2 + (QUICK_TIMING.maxAttempts + 1) * QUICK_TIMING.triesPerPage)
})

test.each([
  ['at the front, once', { nth: 4, times: 1 }],
  ['at the front, before three pages in a row', { nth: 2, times: 3 }],
])('F21: an invoice issued %s shifts the pages, and the walk still ends with the upstream set', async (_, when) => {
  addFault({ match: { path: LINES }, ...when, action: { type: 'shift', accountId: 'meridian', position: 'front' } })
  expect(await run()).toBe('succeeded')
  // the new invoice's header came after the invoices were read: the next sync brings it
  await syncNow(world, connectionId)
  await expectUpstream(world, connectionId, 'meridian')
})

test('F21: lines removed during the reading hide no other line', async () => {
  const { mutations, requireAccount } = world.sandbox.state()
  const account = requireAccount('meridian')
  const gone = account.story.slice(0, 3).flatMap((invoice) => invoice.lines.map((line) => String(line.wire.id)))
  let commits = 0
  const { organizationId, partner } = world
  const outcome = await runSync(
    { organizationId, runId },
    {
      partner,
      timing: QUICK_TIMING,
      signal: new AbortController().signal,
      failpoint: (name) => {
        if (name === 'after-commit') commits += 1
        if (name === 'after-commit' && commits === 8) for (const id of gone) mutations.removeLine(account, id)
      },
    },
  )
  expect(outcome).toBe('succeeded')
  const stored = await world.database.query<{ id: string }>('select id from line where connection_id = $1', [
    connectionId,
  ])
  const upstream = account.story.flatMap((invoice) => invoice.lines.map((line) => String(line.wire.id)))
  expect(stored.map(({ id }) => id)).toEqual(expect.arrayContaining(upstream))
})

test('F21: a list that ends before its own count is read again', async () => {
  addFault({ match: { path: LINES }, nth: 5, action: { type: 'empty_list', keepTotal: true } })
  expect(await run()).toBe('succeeded')
  await expectUpstream(world, connectionId, 'meridian')
  const [passes] = await world.database.query('select max(pass)::int as last from sync_page where run_id = $1', [runId])
  expect(passes).toEqual({ last: 2 })
})

test('F21: a list that never reaches its own count fails the run after five readings; arrivals are kept', async () => {
  addFault({ match: { path: LINES, pattern: 'offset=50' }, times: 0, action: { type: 'empty_list', keepTotal: true } })
  expect(await run()).toBe('failed')
  expect(await readRun()).toMatchObject({ status: 'failed', error_code: 'sync-incomplete', lines_received: 250 })
  const [stored] = await world.database.query('select count(*)::int as lines from line where connection_id = $1', [
    connectionId,
  ])
  expect(stored).toEqual({ lines: 50 })
})

test('F20: of several workers that get the same job, one does it', async () => {
  const outcomes = await Promise.all([run(), run(), run()])
  expect(outcomes.sort()).toEqual(['not-taken', 'not-taken', 'succeeded'])
  await expectUpstream(world, connectionId, 'meridian')
  expect(dataCalls(world).filter(({ list }) => list === '/profiles')).toHaveLength(1)
})

test('F20: a worker that slept past its lease cannot commit another page', async () => {
  addFault({ match: { path: LINES }, nth: 3, action: { type: 'delay', ms: 2500 } })
  const sleeper = run()
  await expect.poll(async () => Number((await readRun()).lines_received), PATIENCE).toBeGreaterThanOrEqual(20)
  await world.database.query(`update sync_run set lease_until = now() - interval '1 second' where id = $1`, [runId])
  expect(await run()).toBe('succeeded')
  expect(await sleeper).toBe('fenced')
  await expectUpstream(world, connectionId, 'meridian')
  expect(await readRun()).toMatchObject({ status: 'succeeded', lines_received: 95, duplicate: 0 })
})

test('F20: nor can it while its successor is still at work and holds the run', async () => {
  const { faults } = world.sandbox.state()
  addFault({ match: { path: LINES }, nth: 3, action: { type: 'delay', ms: 2500 } })
  const sleeper = run()
  // two pages are stored, and the third is on its way
  await expect.poll(async () => Number((await readRun()).lines_received), PATIENCE).toBe(20)
  await expect.poll(() => faults.list(), PATIENCE).toEqual([])
  await world.database.query(`update sync_run set lease_until = now() - interval '1 second' where id = $1`, [runId])
  addFault({ match: { path: LINES }, action: { type: 'delay', ms: 6000 } })
  const successor = run()
  await expect.poll(() => faults.list(), PATIENCE).toEqual([])
  expect(await sleeper).toBe('fenced')
  // the successor waits for the same page: nobody stored it, and the run goes on
  expect(await readRun()).toMatchObject({ status: 'running', fence: '2', lines_received: 20 })
  expect(await successor).toBe('succeeded')
  await expectUpstream(world, connectionId, 'meridian')
  expect(await readRun()).toMatchObject({ status: 'succeeded', lines_received: 95, duplicate: 0 })
})

test('a worker told to stop commits the pages it has, and the next one goes on from there', async () => {
  const stopping = new AbortController()
  const { organizationId, partner } = world
  let commits = 0
  const outcome = await runSync(
    { organizationId, runId },
    {
      partner,
      timing: QUICK_TIMING,
      signal: stopping.signal,
      failpoint: (name) => {
        if (name === 'before-commit') commits += 1
        if (name === 'before-commit' && commits === 6) stopping.abort()
      },
    },
  )
  expect(outcome).toBe('released')
  const released = await readRun()
  expect(released).toMatchObject({ status: 'running', lease_until: null })
  const pages = await world.database.query('select 1 from sync_page where run_id = $1', [runId])
  // the one being committed, and those that had arrived meanwhile
  expect(pages.length).toBeGreaterThanOrEqual(6)

  expect(await run()).toBe('succeeded')
  await expectUpstream(world, connectionId, 'meridian')
  expect(await readRun()).toMatchObject({ duplicate: 0, lines_received: 95 })
})

test('F29: a database that drops every connection midway leaves no partial page, and the run goes on', async () => {
  const { organizationId, partner } = world
  let commits = 0
  const interrupted = runSync(
    { organizationId, runId },
    {
      partner,
      timing: QUICK_TIMING,
      signal: new AbortController().signal,
      failpoint: (name) => {
        if (name === 'before-commit') commits += 1
        if (name === 'before-commit' && commits === 5)
          void world.database.query(
            `select pg_terminate_backend(a.pid) from pg_stat_activity a join pg_roles r on r.oid = a.usesysid
             where a.datname = current_database() and a.pid <> pg_backend_pid() and not r.rolsuper`,
          )
      },
    },
  )
  const outcome = await interrupted.catch(() => 'thrown')
  expect(['postponed', 'thrown', 'succeeded']).toContain(outcome)
  const [sums] = await world.database.query(
    `select coalesce(sum(p.received), 0)::int as pages,
            min(r.profiles_received + r.invoices_received + r.lines_received) as run
     from sync_run r left join sync_page p on p.organization_id = r.organization_id and p.run_id = r.id
     where r.organization_id = $1 and r.id = $2`,
    [organizationId, runId],
  )
  expect(sums?.pages).toBe(sums?.run)
  await world.database.query(`update sync_run set lease_until = now() where id = $1 and status = 'running'`, [runId])
  await expect.poll(async () => (await run().catch(() => 'thrown')) && (await readRun()).status).toBe('succeeded')
  await expectUpstream(world, connectionId, 'meridian')
})

test.each([
  ['F30: a disk that is full', '53100', 'database-unavailable'],
  ['F29: a deadlock', '40P01', 'database-unavailable'],
  ['F29: a database without a free connection', '53300', 'database-unavailable'],
])(
  '%s in the middle of a page leaves nothing of the page behind, and the run goes on from there',
  async (_, code, shown) => {
    await world.database.query(
      `create or replace function no_page() returns trigger language plpgsql as $$
     begin
       if new.list = 'lines' and new.page_offset = 30 then raise exception 'no room' using errcode = '${code}'; end if;
       return new;
     end $$`,
    )
    await world.database.query(
      'create trigger no_page before insert on sync_page for each row execute function no_page()',
    )
    expect(await run()).toBe('postponed')
    expect(await readRun()).toMatchObject({ status: 'running', error_code: shown, lines_received: 30 })
    const [stored] = await world.database.query('select count(*)::int as lines from line where connection_id = $1', [
      connectionId,
    ])
    expect(stored?.lines).toBeLessThanOrEqual(30)

    await world.database.query('drop trigger no_page on sync_page')
    await world.database.query('update sync_run set lease_until = now() where id = $1', [runId])
    expect(await run()).toBe('succeeded')
    await expectUpstream(world, connectionId, 'meridian')
    expect(await readRun()).toMatchObject({ duplicate: 0, lines_received: 95, error_code: null })
  },
)
