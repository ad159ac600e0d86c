import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#lib/db/test-support/test-database.ts'
import type { ConnectionId, OrganizationId, RunId, UserId } from '#lib/ids.ts'
import { listChanges } from '#lib/ledger/history/history-list.ts'
import { DEFAULT_CHANGE_QUERY } from '#lib/ledger/query/history-query.ts'
import { seedConnection, seedOrganization } from '#lib/ledger/test-support/seed.ts'
import type { Day } from '#lib/reconcile/day.ts'
import type { RunStatus, SyncKind } from '#lib/reconcile/sync-run.ts'
import { removePageBatch } from './remove-old-pages.ts'

let database: TestDatabase
let owner: { organizationId: OrganizationId; userId: UserId }
let connectionId: ConnectionId

beforeAll(async () => {
  database = await createTestDatabase()
  owner = await seedOrganization(database.query)
})
afterAll(() => database.drop())
beforeEach(async () => {
  await database.query('delete from connection')
  connectionId = await seedConnection(database.query, owner)
})

type SomeRun = { daysOld: number; kind?: SyncKind; status?: RunStatus; pages?: number; connection?: string }

/**
 * A run requested `daysOld` days ago, finished a minute later if it is over, with pages of 10 new
 * lines each.
 */
async function seedRun({ daysOld, kind = 'incremental', status = 'succeeded', pages = 2, connection }: SomeRun) {
  const isOver = !['queued', 'running', 'paused'].includes(status)
  const [run] = await database.query<{ id: string }>(
    `insert into sync_run (organization_id, connection_id, trigger, kind, status, requested_at, started_at, finished_at)
     select $1, $2, 'schedule', $3, $4, at, at, case when $6 then at + interval '1 minute' end
     from (select now() - make_interval(days => $5) as at) moment returning id`,
    [owner.organizationId, connection ?? connectionId, kind, status, daysOld, isOver],
  )
  await database.query(
    `insert into sync_page (organization_id, run_id, window_number, list, pass, page_offset, received, inserted, updated, unchanged,
       duplicate, rejected, key_hashes, committed_at)
     select $1, $2, 1, 'lines', 1, n * 10, 10, 10, 0, 0, 0, 0, '{}', now() - make_interval(days => $4) from generate_series(0, $3 - 1) n`,
    [owner.organizationId, run?.id, pages, daysOld],
  )
  return run?.id as string
}

/** A loss found by the run; undecided unless `decision` says otherwise. */
const seedLoss = (runId: RunId, decision: string | null = null) =>
  database.query(
    `insert into sync_loss (organization_id, run_id, connection_id, line_count, missing_lines, invoice_count, missing_invoices,
       totals, decision, decided_at)
     select organization_id, id, connection_id, 9, 9, 9, 9, '[]', $2, case when $2::text is not null then now() end
     from sync_run where id = $1`,
    [runId, decision],
  )

async function removeAll(): Promise<number> {
  let pages = 0
  for (;;) {
    const batch = await removePageBatch()
    pages += batch.pages
    if (batch.runs === 0) return pages
  }
}

const countPages = async (runId?: RunId) => {
  const [row] = await database.query<{ count: number }>(
    'select count(*)::int as count from sync_page where $1::uuid is null or run_id = $1',
    [runId ?? null],
  )
  return row?.count
}

test('removes the pages of runs that ended over thirty days ago, and the run says so; keeps younger ones', async () => {
  const old = await seedRun({ daysOld: 31 })
  const young = await seedRun({ daysOld: 29 })
  expect(await removeAll()).toBe(2)
  expect([await countPages(old), await countPages(young)]).toEqual([0, 2])
  const runs = await database.query(
    'select id, pages_removed_at is not null as "isEmpty" from sync_run order by requested_at',
  )
  expect(runs).toEqual([
    { id: old, isEmpty: true },
    { id: young, isEmpty: false },
  ])
})

test.each(['failed', 'canceled'] as const)('removes the pages of an old %s run, too', async (status) => {
  await seedRun({ daysOld: 40, status })
  expect(await removeAll()).toBe(2)
})

test.each(['queued', 'running', 'paused'] as const)(
  'a run that is %s keeps its pages however old they are',
  async (status) => {
    const run = await seedRun({ daysOld: 400, kind: 'backfill', status })
    expect(await removeAll()).toBe(0)
    expect(await countPages(run)).toBe(2)
  },
)

test.each(['backfill', 'verification'] as const)(
  'the last finished %s of each connection keeps its pages; earlier and unfinished ones do not',
  async (kind) => {
    const other = await seedConnection(database.query, owner, 'Other')
    await seedRun({ daysOld: 90, kind: 'backfill' })
    const last = await seedRun({ daysOld: 80, kind })
    const lastOfOther = await seedRun({ daysOld: 100, kind, connection: other })
    await seedRun({ daysOld: 70, kind: 'verification', status: 'failed' })
    await seedRun({ daysOld: 60, kind: 'incremental' })
    expect(await removeAll()).toBe(6)
    expect([await countPages(last), await countPages(lastOfOther)]).toEqual([2, 2])
  },
)

test('an undecided loss keeps the pages of its run and of later runs until it is decided', async () => {
  const other = await seedConnection(database.query, owner, 'Other')
  await seedRun({ daysOld: 90 })
  await seedRun({ daysOld: 50, connection: other })
  const held = await seedRun({ daysOld: 80, kind: 'verification', status: 'held' })
  await seedLoss(held)
  const later = [await seedRun({ daysOld: 70 }), await seedRun({ daysOld: 60, status: 'canceled' })]
  const newest = await seedRun({ daysOld: 50, kind: 'verification', status: 'held' })
  await seedLoss(newest)
  expect(await removeAll()).toBe(4)
  for (const run of [held, ...later, newest]) expect(await countPages(run)).toBe(2)

  // the older one is decided: the oldest undecided one counts
  await database.query(`update sync_loss set decision = 'accepted', decided_at = now() where run_id = $1`, [held])
  expect(await removeAll()).toBe(6)
  expect(await countPages(newest)).toBe(2)

  // decided, but still the last complete reading
  await database.query(`update sync_loss set decision = 'rejected', decided_at = now()`)
  expect(await removeAll()).toBe(0)
  expect(await countPages(newest)).toBe(2)
})

test('a transaction takes no more than its batch, from one long run or many short ones', async () => {
  const long = await seedRun({ daysOld: 60, pages: 25 })
  for (let n = 0; n < 4; n++) await seedRun({ daysOld: 50 - n, pages: 3 })
  const batches = []
  for (let left = true; left; ) {
    const batch = await removePageBatch({ runs: 2, pages: 10 })
    left = batch.runs > 0
    batches.push([batch.runs, batch.pages, await countPages(long), await countPages()])
  }
  expect(batches).toEqual([
    [2, 10, 15, 27],
    [2, 10, 5, 17],
    [2, 8, 0, 9],
    [2, 6, 0, 3],
    [1, 3, 0, 0],
    [0, 0, 0, 0],
  ])
})

test('skips a run that another worker holds, without waiting for it', async () => {
  const held = await seedRun({ daysOld: 60 })
  const free = await seedRun({ daysOld: 50 })
  await database.query('begin')
  await database.query('select from sync_run where organization_id = $1 and id = $2 for update', [
    owner.organizationId,
    held,
  ])
  try {
    expect(await removePageBatch()).toEqual({ runs: 1, pages: 2 })
  } finally {
    await database.query('rollback')
  }
  expect([await countPages(held), await countPages(free)]).toEqual([2, 0])
  expect(await removeAll()).toBe(2)
})

test('concurrent workers remove each page once, and count what it brought once', async () => {
  for (let n = 0; n < 30; n++) await seedRun({ daysOld: 40 + n, pages: 7 })
  const work = async () => {
    let pages = 0
    let idle = 0
    // another worker may hold everything left: look again
    while (idle < 3) {
      const batch = await removePageBatch({ runs: 3, pages: 5 })
      pages += batch.pages
      idle = batch.runs === 0 ? idle + 1 : 0
    }
    return pages
  }
  const removed = await Promise.all([work(), work(), work(), work()])
  expect((await removeAll()) + removed.reduce((sum, pages) => sum + pages, 0)).toBe(210)
  expect(await countPages()).toBe(0)
  const [arrived] = await database.query('select sum(inserted)::int as lines, count(*)::int as rows from sync_arrival')
  expect(arrived).toEqual({ lines: 2100, rows: 30 })
})

test('how many invoices arrived since any day reads the same after the pages are gone', async () => {
  const other = await seedConnection(database.query, owner, 'Other')
  const run = await seedRun({ daysOld: 45, pages: 4 })
  await seedRun({ daysOld: 35, connection: other })
  await seedRun({ daysOld: 3 })
  await database.query(
    `update sync_page set list = case when run_id = $1 and page_offset = 0 then 'lines' else 'invoices' end`,
    [run],
  )
  // over midnight, and one page brought nothing
  await database.query(
    `update sync_page set committed_at = (committed_at at time zone 'UTC' - interval '1 day') at time zone 'UTC' where run_id = $1 and page_offset <= 10`,
    [run],
  )
  await database.query('update sync_page set inserted = 0, unchanged = 10 where run_id = $1 and page_offset = 30', [
    run,
  ])
  const now = new Date()
  const tell = async () => {
    const told = []
    for (const daysAgo of [60, 46, 45, 40, 35, 30, 3, 0])
      for (const connections of [[], [connectionId], [other]]) {
        const since = new Date(now.getTime() - daysAgo * 86_400_000).toISOString().slice(0, 10) as Day
        const changes = await listChanges(owner.organizationId, { ...DEFAULT_CHANGE_QUERY, since, connections }, now)
        told.push([daysAgo, connections.length, changes.arrivedInvoices])
      }
    return told
  }
  const before = await tell()
  expect(before.slice(0, 4)).toEqual([
    [60, 0, 60],
    [60, 1, 40],
    [60, 1, 20],
    [46, 0, 60],
  ])
  expect(before[6]).toEqual([45, 0, 50])
  expect(await removeAll()).toBe(6)
  expect(await tell()).toEqual(before)
})
