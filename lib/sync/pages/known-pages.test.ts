import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { personOf } from '#lib/audit/test-support/test-actor.ts'
import { requestSync } from '#lib/connections/runs/request-sync.ts'
import type { ConnectionId, RunId } from '#lib/ids.ts'
import type { KnownPage } from '#lib/ledger/kept/known-pages/known-pages.ts'
import type { JsonObject } from '#lib/sandbox/data/wire/json.ts'
import type { ClaimedRun, SyncKind } from '../model.ts'
import { runSync } from '../reading/run-sync.ts'
import { claimRun } from '../runs/run-store.ts'
import { QUICK_TIMING, type SyncWorld, seedSyncWorld, syncNow } from '../test-support/seed.ts'
import { expectUpstream } from '../test-support/test-upstream.ts'
import { createWalk } from '../windows/walk.ts'
import { wholeList } from '../windows/window-store.ts'
import { commitGroup } from './commit-group.ts'
import { openKnownPages } from './find-known-page.ts'
import { groupPages, type PageGroup } from './group-pages.ts'
import { toPage } from './page.ts'
import { placeOf } from './page-place.ts'
import { readRecordsHere } from './read-records.ts'

let world: SyncWorld
let connectionId: ConnectionId

beforeAll(async () => {
  world = await seedSyncWorld({ pageSize: 10 })
})
afterAll(() => world.close())
beforeEach(async () => {
  world.sandbox.reset()
  connectionId = (await world.connect('meridian')).connectionId
  await sync()
})

const sync = (options: Parameters<typeof syncNow>[2] = {}) => syncNow(world, connectionId, options)
const query = <Row extends Record<string, unknown>>(text: string, values: unknown[] = [connectionId]) =>
  world.database.query<Row>(text, values)

/** Changes stored lines directly in the database: opening a page would correct them. */
async function blur(): Promise<void> {
  await query('alter table line disable trigger t09_note_touch', [])
  await query('update line set text_hash = null where connection_id = $1')
  await query('alter table line enable trigger t09_note_touch', [])
}
/** Changes a line upstream. */
function change(patch: JsonObject, rawJson?: Record<string, string>): void {
  const { mutations, requireAccount } = world.sandbox.state()
  const account = requireAccount('meridian')
  mutations.updateLine(account, account.story.at(-1)?.lines[0]?.wire.id as string, patch, rawJson)
}
const countOpened = async () => {
  const [row] = await query<{ lines: number }>(
    'select count(text_hash)::int as lines from line where connection_id = $1 and missing_since is null',
  )
  return row?.lines
}
async function readRun(runId: RunId) {
  const [row] = await query<Record<string, number>>(
    `select lines_received, invoices_received, profiles_received, inserted, updated, unchanged, duplicate, rejected, lines_missing
     from sync_run where id = $1`,
    [runId],
  )
  return row as Record<string, number>
}

test('counts a page that comes again byte for byte without opening it; opens one with an unreadable line', async () => {
  change({}, { total_amount: '"a lot"' })
  await sync()
  await blur()
  const { outcome, runId } = await sync()
  expect(outcome).toBe('succeeded')
  const pages = await query<{ received: number; unchanged: number; rejected: number; keys: number }>(
    `select received, unchanged + updated as unchanged, rejected, cardinality(key_hashes) as keys from sync_page where run_id = $1 and list = 'lines'`,
    [runId],
  )
  for (const { received, unchanged, rejected, keys } of pages)
    expect({ keys, received }).toEqual({ keys: received, received: unchanged + rejected })
  const opened = pages.filter(({ rejected }) => rejected > 0)
  expect(opened.length).toBeGreaterThan(0)
  expect(opened.length).toBeLessThan(pages.length)
  expect(await countOpened()).toBe(opened.reduce((sum, { received, rejected }) => sum + received - rejected, 0))
})

test('a run has the same counts whether its pages are known or opened', async () => {
  const known = await readRun((await sync()).runId)
  await query('delete from known_page where connection_id = $1')
  const opened = await readRun((await sync()).runId)
  expect(known).toEqual(opened)
  await expectUpstream(world, connectionId, 'meridian')
})

test('opens only the page of the one line that changed', async () => {
  change({ description: 'changed upstream' })
  await blur()
  const { runId } = await sync()
  const pages = await query<{ updated: number; received: number }>(
    `select updated, received from sync_page where run_id = $1 and list = 'lines' and updated > 0`,
    [runId],
  )
  expect(pages).toHaveLength(1)
  expect(await countOpened()).toBe(pages[0]?.received)
  await expectUpstream(world, connectionId, 'meridian')
  // known again after being read unchanged
  await sync()
  await blur()
  await sync()
  expect(await countOpened()).toBe(0)
})

test('F26: a verification takes back a change that the platform has since undone', async () => {
  // long enough to be read in parts, which differ by kind of sync
  const options = { timing: { ...QUICK_TIMING, windowRecords: 60 }, now: () => new Date('2026-11-20T12:00:00Z') }
  const { connectionId: id, runId: first } = await world.connect('nordlicht')
  const run = async (kind: SyncKind) => {
    const wish = { trigger: 'manual', requestedBy: personOf(world.userId), kind } as const
    const { runId } = await requestSync(world.organizationId, id, wish)
    await runSync(
      { organizationId: world.organizationId, runId },
      { partner: world.partner, signal: new AbortController().signal, ...options },
    )
    return runId
  }
  expect(await run('backfill')).toBe(first)
  const account = world.sandbox.state().requireAccount('nordlicht')
  const recent = account.story.find(({ header }) => String(header.issuing_date) > '2026-11-01')
  const line = recent?.lines[0] as NonNullable<typeof recent>['lines'][number]
  const { wire } = line
  world.sandbox.state().mutations.updateLine(account, wire.id as string, { description: 'changed upstream' })
  expect((await readRun(await run('incremental'))).updated).toBeGreaterThan(0)
  line.wire = wire
  account.revision += 1
  expect((await readRun(await run('verification'))).updated).toBeGreaterThan(0)
  await expectUpstream(world, id, 'nordlicht')
})

test('F25: a line marked as missing is there again when its page comes unchanged', async () => {
  await query('update line set missing_since = now() where connection_id = $1')
  await sync()
  await expectUpstream(world, connectionId, 'meridian')
})

/** A run of the connection, held as by a worker, and its window of lines. */
async function hold() {
  const { organizationId } = world
  const { runId } = await requestSync(organizationId, connectionId, { trigger: 'manual', requestedBy: null })
  const run = (await claimRun(organizationId, runId, 20_000)) as ClaimedRun
  const window = { ...wholeList('lines'), number: 1, maySplit: false, pass: 1, cursorOffset: 0 }
  const commit = async (known: KnownPage | null) => {
    const page = toPage(known?.offset ?? 0, null, known)
    const [group] = await groupPages(
      { list: 'lines', pass: 1, walk: createWalk(), findKnown: async () => null, readRecords: readRecordsHere },
      [page],
    )
    await commitGroup(run, window, 1, group as PageGroup, {
      before: Promise.resolve(),
      leaseMs: 20_000,
      failpoint: () => undefined,
    })
  }
  const listOffsets = async () =>
    (await query<{ page_offset: number }>('select page_offset from sync_page where run_id = $1', [runId])).map(
      ({ page_offset }) => page_offset,
    )
  return {
    run,
    find: openKnownPages(run, window, 0),
    again: openKnownPages({ ...run, attempts: 2 }, window, 0),
    commit,
    listOffsets,
  }
}

test('F25: touching a line between the look-up of its page and the commit fails the whole group', async () => {
  const { find, commit, listOffsets } = await hold()
  const [first, second] = [await find(0), await find(10)]
  await commit(first)
  expect(await listOffsets()).toEqual([0])
  await query('update line set missing_since = now() where connection_id = $1')
  await expect(commit(second)).rejects.toMatchObject({ code: 'sync-outdated' })
  expect(await listOffsets()).toEqual([0])
})

test('committing a page that is no longer known fails its group', async () => {
  const { find, commit, listOffsets } = await hold()
  const page = await find(0)
  await query('delete from known_page where connection_id = $1')
  await expect(commit(page)).rejects.toMatchObject({ code: 'sync-outdated' })
  expect(await listOffsets()).toEqual([])
})

test('a run taken up again without progress opens every page', async () => {
  const { find, again } = await hold()
  expect(await find(0)).not.toBeNull()
  expect(await again(0)).toBeNull()
})

test('a window keeps its place from day to day, and each part of the list has its own', () => {
  const lines = wholeList('lines')
  expect(placeOf({ ...lines, issuedFrom: '2026-10-16' })).toBe(placeOf({ ...lines, issuedFrom: '2026-10-17' }))
  const places = [
    lines,
    { ...lines, issuedFrom: '2026-10-01', issuedUpto: '2026-10-31' },
    { ...lines, issuedFrom: '2026-10-01', issuedUpto: '2026-10-15' },
    { ...lines, issuedFrom: '2026-11-01' },
    { ...lines, issuedFrom: '2026-11-01', invoiceStatus: 'unpaid' },
  ].map(placeOf)
  expect(new Set(places).size).toBe(places.length)
  expect(placeOf(wholeList('invoices'))).toBeNull()
  expect(placeOf({ ...lines, serialNumber: 'INV-1' })).toBeNull()
})
