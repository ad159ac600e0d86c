import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { OperationalError } from '#lib/errors.ts'
import type { ConnectionId, RunId } from '#lib/ids.ts'
import { ARRANGE_TIMING, QUICK_TIMING, type SyncWorld, seedSyncWorld, syncNow } from '../test-support/seed.ts'
import { dataCalls, expectUpstream, upstreamOf } from '../test-support/test-upstream.ts'
import { halveRange, monthOf } from './window-range.ts'

const NOW = () => new Date('2026-11-20T12:00:00Z')
/** Small enough to make the small account be read in parts; each part is committed at once. */
const timing = { ...ARRANGE_TIMING, windowRecords: 60 }
/** The most commits that there can be, and so the most places to die at. */
const timingOfDeaths = { ...QUICK_TIMING, windowRecords: 60 }
const NO_SIGNAL = new AbortController().signal

let world: SyncWorld
let connectionId: ConnectionId
let runId: RunId

beforeAll(async () => {
  world = await seedSyncWorld({ pageSize: 20 })
})
afterAll(() => world.close())

beforeEach(async () => {
  world.sandbox.reset()
  const connected = await world.connect('nordlicht')
  connectionId = connected.connectionId
  runId = connected.runId
})

const sync = (options: Parameters<typeof syncNow>[2] = {}) =>
  syncNow(world, connectionId, { timing, now: NOW, signal: NO_SIGNAL, ...options })
const account = () => world.sandbox.state().requireAccount('nordlicht')

type WindowRow = {
  list: string
  state: string
  issued_from: string | null
  issued_upto: string | null
  invoice_status: string | null
  serial_number: string | null
  received: number
  expected: number | null
  started_at: Date
}

const readWindows = (run = runId) =>
  world.database.query<WindowRow>('select * from sync_window where run_id = $1 order by started_at, number', [run])

async function readRun(run = runId) {
  const [row] = await world.database.query<Record<string, unknown>>('select * from sync_run where id = $1', [run])
  return row as Record<string, unknown>
}

test('a first sync of a long account reads it by month, newest first, and ends with the upstream set', async () => {
  expect((await sync()).outcome).toBe('succeeded')
  await expectUpstream(world, connectionId, 'nordlicht')

  const lines = (await readWindows()).filter(({ list, state }) => list === 'lines' && state === 'complete')
  expect(lines.length).toBeGreaterThan(4)
  const starts = lines.map(({ issued_from }) => issued_from ?? '')
  expect(starts).toEqual([...starts].sort().reverse())
  // each part begins where the next one ends, and both ends are open: no day is left out
  expect([lines[0]?.issued_upto, lines.at(-1)?.issued_from]).toEqual([null, null])
  for (const [index, { issued_from }] of lines.slice(0, -1).entries()) {
    const dayAfter = new Date(new Date(`${lines[index + 1]?.issued_upto}T00:00:00Z`).getTime() + 86_400_000)
    expect(issued_from).toBe(dayAfter.toISOString().slice(0, 10))
    expect(issued_from).toMatch(/-01$/)
  }
  for (const { received, expected } of lines) expect(received).toBe(expected)
  const upstream = upstreamOf(world, 'nordlicht')
  expect(await readRun()).toMatchObject({
    kind: 'backfill',
    invoices_received: upstream.serialNumbers.length,
    lines_expected: upstream.lines.length,
    lines_received: upstream.lines.length,
  })
})

test('the sums of a run’s windows and of its pages are the run’s own', async () => {
  await sync()
  const sum = `sum(received)::int as received, sum(inserted)::int as inserted, sum(updated)::int as updated,
    sum(unchanged)::int as unchanged, sum(duplicate)::int as duplicate, sum(rejected)::int as rejected`
  const [windows] = await world.database.query(`select ${sum} from sync_window where run_id = $1`, [runId])
  const [pages] = await world.database.query(`select ${sum} from sync_page where run_id = $1`, [runId])
  const run = await readRun()
  const { inserted, updated, unchanged, duplicate, rejected } = run
  const received = Number(run.profiles_received) + Number(run.invoices_received) + Number(run.lines_received)
  expect(windows).toEqual({ received, inserted, updated, unchanged, duplicate, rejected })
  expect(pages).toEqual(windows)
})

test('years without an invoice cost a handful of requests', async () => {
  world.sandbox.state().issueInvoice('nordlicht', { position: 'front', lines: 1, issuingDate: '2019-02-11' })
  await sync()
  await expectUpstream(world, connectionId, 'nordlicht')
  // 61 + 1 invoices and 478 lines of 20 a page are 28 pages
  expect(dataCalls(world).length).toBeLessThan(28 + 45)
})

test('reads an account of a few pages in one piece, without an extra request', async () => {
  const { connectionId: other } = await world.connect('meridian')
  world.sandbox.state().calls.clear()
  await syncNow(world, other, { now: NOW })
  expect(dataCalls(world)).toHaveLength(1 + 1 + Math.ceil(upstreamOf(world, 'meridian').lines.length / 20))
})

test.each(['before-request', 'after-response', 'before-commit', 'after-commit', 'before-finish'] as const)(
  'F19: what a worker that dies at %s has committed is not read again, window by window',
  async (place) => {
    let count = 0
    let outcome = ''
    // like a fenced worker, a crash leaves nothing uncommitted behind
    const dieAt = (limit: number) => (name: string) => {
      if (name === place) count += 1
      if (name === place && count === limit) throw new OperationalError('sync-fenced', 'died')
    }
    const deaths = place === 'before-finish' ? [1, 2] : [3, 13, 24]
    for (const limit of deaths) {
      outcome = (await sync({ failpoint: dieAt(limit), timing: timingOfDeaths })).outcome
      expect(outcome).toBe('fenced')
      await world.database.query('update sync_run set lease_until = now() where id = $1', [runId])
    }
    expect((await sync()).outcome).toBe('succeeded')
    await expectUpstream(world, connectionId, 'nordlicht')
    expect(await readRun()).toMatchObject({ duplicate: 0, updated: 0, unchanged: 0, rejected: 2 })
    const crossed = await world.database.query(
      `select window_number, pass, page_offset from sync_page where run_id = $1 and list = 'lines'
       group by 1, 2, 3 having count(*) > 1`,
      [runId],
    )
    expect(crossed).toEqual([])
  },
)

test('F21: adding up the parts finds an invoice that moves to a month already read', async () => {
  const oldest = account().story[0]
  let moved = false
  const { outcome } = await sync({
    failpoint: (name) => {
      if (name !== 'after-commit' || moved) return
      const { mutations } = world.sandbox.state()
      const received = world.sandbox.state().calls.list().length
      if (received < 20) return
      moved = true
      mutations.updateInvoice(account(), oldest?.serialNumber as string, { issuing_date: '2026-11-03' })
    },
  })
  expect({ outcome, moved }).toEqual({ outcome: 'succeeded', moved: true })
  await expectUpstream(world, connectionId, 'nordlicht')
})

test('finds records without a day of issue by reading the list in one piece', async () => {
  const [, undated] = account().story
  world.sandbox.state().mutations.updateInvoice(account(), undated?.serialNumber as string, { issuing_date: null })
  expect((await sync()).outcome).toBe('succeeded')
  await expectUpstream(world, connectionId, 'nordlicht')
})

test('F26: a later sync reads what was issued lately and what is still open, and sees unpaid become paid', async () => {
  const { mutations } = world.sandbox.state()
  const old = account().story.filter(({ header }) => String(header.issuing_date) < '2026-10-01')
  const [unpaid, open] = old.filter(({ header }) => header.status === 'unpaid')
  await sync()
  world.sandbox.state().calls.clear()

  mutations.updateInvoice(account(), unpaid?.serialNumber as string, { status: 'paid' })
  const corrected = open?.lines[0]?.wire.id
  mutations.updateLine(account(), corrected as string, { description: 'Corrected long after' })
  // a refund of today for a trip in spring
  const refund = world.sandbox.state().issueInvoice('nordlicht', { lines: 2, issuingDate: '2026-11-19' })
  for (const id of refund.lineIds) mutations.updateLine(account(), id, { expense_date: '2026-03-02', quantity: -1 })

  const { outcome, runId: second } = await sync()
  expect(outcome).toBe('succeeded')
  expect(await readRun(second)).toMatchObject({ kind: 'incremental', inserted: 1 + 2, lines_missing: 0 })
  await expectUpstream(world, connectionId, 'nordlicht')
  const windows = await readWindows(second)
  // what left its old status is read by its number, as is what has an unknown status
  const asked = windows.map(({ list, serial_number }) => `${list} ${serial_number}`)
  expect(asked).toEqual(expect.arrayContaining([`invoices ${unpaid?.serialNumber}`, `lines ${unpaid?.serialNumber}`]))
  expect(new Set(windows.map(({ serial_number }) => serial_number)).size).toBeLessThan(4)
  // less than the whole list's 4 pages of invoices and 24 of lines
  const received = Number((await readRun(second)).lines_received)
  expect(received).toBeLessThan(240)
})

test('an invoice given an old day of issue arrives while it is open', async () => {
  await sync()
  world.sandbox.state().issueInvoice('nordlicht', { lines: 3, issuingDate: '2026-02-02', status: 'unpaid' })
  await sync()
  await expectUpstream(world, connectionId, 'nordlicht')
})

test('reads many invoices that were paid at once by their month, and their lines by the days that have them', async () => {
  const march = account().story.filter(({ header }) => String(header.issuing_date).startsWith('2026-03'))
  const { mutations } = world.sandbox.state()
  expect(march.length).toBeGreaterThanOrEqual(5)
  for (const { serialNumber } of march) mutations.updateInvoice(account(), serialNumber, { status: 'unpaid' })
  await sync()
  for (const { serialNumber } of march) mutations.updateInvoice(account(), serialNumber, { status: 'paid' })
  const { runId: second } = await sync()
  await expectUpstream(world, connectionId, 'nordlicht')
  const months = (await readWindows(second)).filter(({ issued_upto }) => issued_upto === '2026-03-31')
  expect(months.map(({ list, issued_from }) => `${list} ${issued_from}`).sort()).toEqual([
    'invoices 2026-03-01',
    `lines ${march.map(({ header }) => String(header.issuing_date)).sort()[0]}`,
  ])
})

test('halving cuts between months down to a single month, and loses no day', () => {
  const whole = { issuedFrom: null, issuedUpto: null }
  const leaves: (typeof whole)[] = []
  const split = (range: { issuedFrom: string | null; issuedUpto: string | null }) => {
    const halves = halveRange(range, '2026-11-20')
    if (halves === null) leaves.push(range as typeof whole)
    else for (const half of halves) split(half)
  }
  split(whole)
  expect(leaves).toHaveLength(95)
  expect(leaves[0]).toEqual({ issuedFrom: '2026-11-01', issuedUpto: null })
  expect(leaves[1]).toEqual({ issuedFrom: '2026-10-01', issuedUpto: '2026-10-31' })
  expect(leaves.at(-1)).toEqual({ issuedFrom: null, issuedUpto: '2019-01-31' })
  expect(monthOf('2028-02-10')).toEqual({ issuedFrom: '2028-02-01', issuedUpto: '2028-02-29' })
})

test('the cuts of a long list stay the same from month to month, so its parts come again unchanged', () => {
  const listCuts = (today: string) => {
    const cuts: string[] = []
    const split = (range: { issuedFrom: string | null; issuedUpto: string | null }, depth: number) => {
      const halves = depth === 0 ? null : halveRange(range, today)
      if (halves === null) cuts.push(`${range.issuedFrom}..${range.issuedUpto}`)
      else for (const half of halves) split(half, depth - 1)
    }
    split({ issuedFrom: null, issuedUpto: null }, 4)
    return cuts
  }
  // except the newest part and the one before it, which the new month has pushed back
  const older = listCuts('2027-02-10').slice(2)
  expect(listCuts('2027-01-20')).toEqual(expect.arrayContaining(older))
  expect(listCuts('2027-01-20').length).toBeGreaterThan(5)
})
