import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { ConnectionId, RunId } from '#lib/ids.ts'
import { LINE, toRaw } from '#lib/partner/test-support/test-records.ts'
import type { ClaimedRun, PageCounts } from '../model.ts'
import { claimRun, renewLease } from '../runs/run-store.ts'
import { SYNC_TIMING } from '../runs/timing.ts'
import { QUICK_TIMING, type SyncWorld, seedSyncWorld, syncNow } from '../test-support/seed.ts'
import { expectUpstream } from '../test-support/test-upstream.ts'
import { createWalk } from '../windows/walk.ts'
import { wholeList } from '../windows/window-store.ts'
import { commitGroup } from './commit-group.ts'
import { groupPages, type PageGroup } from './group-pages.ts'
import { toPage } from './page.ts'
import { readRecordsHere } from './read-records.ts'

/** Groups as many pages as in production, however slow the machine is. */
const timing = {
  ...QUICK_TIMING,
  groupPages: SYNC_TIMING.groupPages,
  pagesAhead: SYNC_TIMING.pagesAhead,
  groupMs: 60_000,
}

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

const sync = () => syncNow(world, connectionId, { timing })
const query = <Row extends Record<string, unknown>>(text: string, id: string = connectionId) =>
  world.database.query<Row>(text, [id])
const countVersions = () =>
  query<{ versions: number }>('select count(*)::int as versions from line_version where connection_id = $1')
const readTimes = () => query('select id, changed_at, first_seen_at from line where connection_id = $1 order by id')
const rewrite = (replace: [string, string][]) =>
  world.sandbox.state().faults.add({
    match: { path: '/api/v1/invoices/lines' },
    times: 1000,
    action: { type: 'rewrite', replace },
  })

test('pages committed together each have a row in the page ledger, with their own counts', async () => {
  expect((await sync()).outcome).toBe('succeeded')
  await expectUpstream(world, connectionId, 'meridian')
  const pages = await query<{ committed_at: Date; received: number; inserted: number; rejected: number }>(
    `select committed_at, received, inserted, rejected from sync_page where run_id = $1 and list = 'lines' order by page_offset`,
    runId,
  )
  expect(pages).toHaveLength(10)
  expect(new Set(pages.map((page) => page.committed_at.getTime())).size).toBe(1)
  expect(pages.every((page) => page.inserted + page.rejected === page.received)).toBe(true)
})

test('F21: a list that shifts while a group of pages is read ends as exactly what the platform has', async () => {
  world.sandbox.state().faults.add({
    match: { path: '/api/v1/invoices/lines' },
    nth: 3,
    times: 1,
    action: { type: 'shift', accountId: 'meridian', position: 'front', lines: 4 },
  })
  expect((await sync()).outcome).toBe('succeeded')
  const [run] = await query<{ duplicate: number }>('select duplicate from sync_run where id = $1', runId)
  expect(run?.duplicate).toBeGreaterThan(0)
  // the new invoice was issued after the list of invoices was read
  await sync()
  await expectUpstream(world, connectionId, 'meridian')
})

test('lines that differ only in white space are unchanged: keeps no version, but stores the new text', async () => {
  await sync()
  const before = await readTimes()
  rewrite([
    ['{"id":', '{ "id" :'],
    ['"tax_regime":', '\n "tax_regime":'],
  ])
  expect((await sync()).outcome).toBe('succeeded')
  expect(await readTimes()).toEqual(before)
  expect(await countVersions()).toEqual([{ versions: 0 }])
  const [line] = await query<{ raw: string }>(
    'select raw::text as raw from line_payload where connection_id = $1 limit 1',
  )
  expect(line?.raw).toMatch(/^\{ "id" :/)
  // from now on this text is the known one
  const { runId: third } = await sync()
  const [run] = await query<{ updated: number; inserted: number }>(
    'select updated, inserted from sync_run where id = $1',
    third,
  )
  expect(run).toEqual({ updated: 0, inserted: 0 })
})

test('a line with one different digit is a change: keeps the version before it', async () => {
  await sync()
  const [line] = await query<{ id: string; raw: string }>(
    `select line_id as id, raw::text as raw from line_payload where connection_id = $1 and raw::text ~ '"quantity":1,' order by line_id limit 1`,
  )
  const id = line?.id as string
  rewrite([[`"id":"${id}"`, `"id":"${id}","changed_upstream":true`]])
  await sync()
  expect(await countVersions()).toEqual([{ versions: 1 }])
})

test('a line marked as missing that comes back with the same text is there again', async () => {
  await sync()
  await query(`update line set missing_since = now() where connection_id = $1`)
  await sync()
  await expectUpstream(world, connectionId, 'meridian')
})

/** Commits a line as a worker does, after what it is told to wait for. */
async function commitOneLine(before: Promise<void>): Promise<{ run: ClaimedRun; committing: Promise<PageCounts> }> {
  const run = (await claimRun(world.organizationId, runId, 20_000)) as ClaimedRun
  const window = { ...wholeList('lines'), number: 1, maySplit: false, pass: 1, cursorOffset: 0 }
  const answer = { total: 1, offset: 0, records: [toRaw(LINE)], bytes: 0, bodyHash: '' }
  const [group] = await groupPages(
    { list: 'lines', pass: 1, walk: createWalk(), findKnown: async () => null, readRecords: readRecordsHere },
    [toPage(0, answer, null)],
  )
  const options = { before, leaseMs: 20_000, failpoint: () => undefined }
  return { run, committing: commitGroup(run, window, 1, group as PageGroup, options) }
}
const countLines = async () =>
  (await query<{ lines: number }>('select count(*)::int as lines from line where connection_id = $1'))[0]?.lines
/** Sessions that have sent what they could and wait for this program. */
const countWaiting = async () =>
  (
    await world.database.query<{ waiting: number }>(
      `select count(*)::int as waiting from pg_stat_activity
       where datname = current_database() and state = 'idle in transaction' and query like 'copy pg_temp.%'`,
    )
  )[0]?.waiting

test('a group goes to the database while the one before is committed, and is written only after it', async () => {
  let release = () => {}
  const before = new Promise<void>((resolve) => {
    release = resolve
  })
  const { run, committing } = await commitOneLine(before)
  await expect.poll(countWaiting, { timeout: 20_000 }).toBe(1)
  // the group before needs the run, and is not kept from it
  await renewLease(run, 20_000)
  expect(await countLines()).toBe(0)
  release()
  expect((await committing).inserted).toBe(1)
  expect(await countLines()).toBe(1)
})

test('a group whose predecessor fails is not written, and fails with the same error', async () => {
  const before = Promise.reject(new Error('the group before'))
  before.catch(() => undefined)
  const { committing } = await commitOneLine(before)
  await expect(committing).rejects.toThrow('the group before')
  expect(await countLines()).toBe(0)
})

test('commits a page that has arrived although the next one does not come', async () => {
  world.sandbox.state().faults.add({
    match: { path: '/api/v1/invoices/lines' },
    nth: 3,
    times: 1,
    action: { type: 'delay', ms: 60_000 },
  })
  const stopping = new AbortController()
  const running = syncNow(world, connectionId, {
    timing: { ...timing, groupMs: 50, pagesAhead: 1 },
    signal: stopping.signal,
  })
  await expect
    .poll(
      async () => (await query<{ n: number }>('select lines_received as n from sync_run where id = $1', runId))[0]?.n,
      {
        timeout: 10_000,
      },
    )
    .toBe(20)
  stopping.abort()
  expect((await running).outcome).toBe('released')
})
