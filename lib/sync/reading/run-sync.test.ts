import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ConnectionId, RunId } from '#lib/ids.ts'
import { type SyncWorld, seedSyncWorld, syncNow } from '../test-support/seed.ts'
import { expectUpstream } from '../test-support/test-upstream.ts'

let world: SyncWorld
let connectionId: ConnectionId
let firstRunId: RunId
let firstEnd: Awaited<ReturnType<typeof syncNow>>
/** The first run's row after each of its commits. */
let progress: Record<string, number>[]

beforeAll(async () => {
  world = await seedSyncWorld({ pageSize: 20 })
  const connected = await world.connect('nordlicht')
  connectionId = connected.connectionId
  firstRunId = connected.runId
  const seen: Promise<Record<string, number>>[] = []
  firstEnd = await syncNow(world, connectionId, {
    failpoint: (name) => {
      if (name === 'after-commit') seen.push(readRun(firstRunId))
    },
  })
  progress = await Promise.all(seen)
})
afterAll(() => world.close())

async function readRun(runId: RunId) {
  const [run] = await world.database.query<Record<string, number>>('select * from sync_run where id = $1', [runId])
  return run as Record<string, number>
}

test('brings every profile, invoice and line of the account, byte for byte, and shows progress meanwhile', async () => {
  expect(firstEnd).toEqual({ outcome: 'succeeded', runId: firstRunId })
  await expectUpstream(world, connectionId, 'nordlicht')

  const upstream = await world.sandbox.controlTotals('nordlicht')
  const lineCount = upstream.lineCount + upstream.rejectedCount
  const run = await readRun(firstRunId)
  expect(run).toMatchObject({
    status: 'succeeded',
    profiles_received: 4,
    profiles_expected: 4,
    invoices_received: upstream.invoiceCount,
    invoices_expected: upstream.invoiceCount,
    lines_received: lineCount,
    lines_expected: lineCount,
    rejected: upstream.rejectedCount,
    inserted: 4 + upstream.invoiceCount + upstream.lineCount,
    updated: 0,
    unchanged: 0,
    duplicate: 0,
  })
  expect(new Set(progress.map((row) => row.lines_received)).size).toBeGreaterThan(5)
})

test('flags the planted faults with their exact difference, and no other line', async () => {
  const { findings } = world.sandbox.groundTruth('nordlicht')
  const flagged = await world.database.query(
    `select id, invoice_serial_number, finding_codes, difference::text, tax_difference::text, expected_total_amount::text,
            expected_tax_amount::text
     from line where connection_id = $1 and finding_count > 0 order by id`,
    [connectionId],
  )
  const expected = findings
    .map((finding) => ({
      id: finding.lineId,
      invoice_serial_number: finding.invoiceSerialNumber,
      finding_codes: finding.codes,
      difference: finding.difference,
      tax_difference: finding.taxDifference,
      expected_total_amount: finding.expectedTotal,
      expected_tax_amount: finding.expectedTax,
    }))
    .sort((a, b) => (String(a.id) < String(b.id) ? -1 : 1))
  expect(flagged).toEqual(expected)
})

test('keeps notes apart from findings', async () => {
  const { notes } = world.sandbox.groundTruth('nordlicht')
  const noted = await world.database.query(
    `select code, invoice_serial_number as serial from line, unnest(note_codes) as code
     where connection_id = $1 and code in ('no_id', 'credit_sign') and finding_count = 0`,
    [connectionId],
  )
  expect(new Set(noted.map(({ code, serial }) => `${code} ${serial}`))).toEqual(
    new Set(notes.map((note) => `${note.code} ${note.invoiceSerialNumber}`)),
  )
})

test('F23: keeps an unreadable record with its text and reason, and loses no other record', async () => {
  const { rejected } = world.sandbox.groundTruth('nordlicht')
  const kept = await world.database.query<{ record_id: string; path: string; raw: string; reason: string }>(
    `select record_id, path, raw, reason from rejected_line where connection_id = $1`,
    [connectionId],
  )
  expect(kept.map(({ record_id, path }) => `${record_id} ${path}`).sort()).toEqual(
    rejected.map(({ lineId, field }) => `${lineId} ${field}`).sort(),
  )
  for (const { lineId, text } of rejected) {
    const row = kept.find(({ record_id }) => record_id === lineId)
    expect(row?.raw).toContain(text)
    expect(row?.reason).toContain(text)
  }
})

test('F24: integers beyond 2^53 keep their digits, and unknown keys stay in the raw text', async () => {
  const trips = await world.database.query<{ trip_id: string }>(
    `select trip_id from line where connection_id = $1 and trip_id like '900719925474099%' order by 1`,
    [connectionId],
  )
  expect(trips.map(({ trip_id }) => trip_id)).toEqual(['9007199254740992', '9007199254740993'])
  const [unknown] = await world.database.query<{ raw: string }>(
    `select raw::text as raw from line_payload where connection_id = $1 and raw::text like '%118.40000000000000001%'`,
    [connectionId],
  )
  expect(unknown?.raw).toContain('"allocation":[{"percent":"100"')
})

test('names the connection after its profiles', async () => {
  const [connection] = await world.database.query('select name from connection where id = $1', [connectionId])
  expect(connection).toEqual({ name: 'Nordlicht GmbH' })
})

test('a second sync of an unchanged account writes no row of the ledger', async () => {
  const versions = () =>
    world.database.query(
      `select 'line' as kind, id, xmin::text from line union all select 'invoice', serial_number, xmin::text from invoice
       union all select 'profile', id, xmin::text from profile order by 1, 2`,
    )
  const before = await versions()
  const { outcome, runId } = await syncNow(world, connectionId)
  expect(outcome).toBe('succeeded')
  expect(await versions()).toEqual(before)
  const run = await readRun(runId)
  expect(run).toMatchObject({ inserted: 0, updated: 0, duplicate: 0 })
  expect(run.unchanged).toBe(before.length)
})

test('a second sync brings what was added, changed and corrected since', async () => {
  const { mutations, requireAccount } = world.sandbox.state()
  const account = requireAccount('nordlicht')
  const [poison] = world.sandbox.groundTruth('nordlicht').rejected
  mutations.updateLine(account, poison?.lineId as string, { expense_date: '2026-02-27', unit_price: '12.30' })
  const [invoice] = account.story
  mutations.updateInvoice(account, invoice?.serialNumber as string, { status: 'paid', reference: 'seen again' })
  world.sandbox.state().issueInvoice('nordlicht', { position: 'back', lines: 3 })

  const { runId } = await syncNow(world, connectionId)
  await expectUpstream(world, connectionId, 'nordlicht')
  const run = await readRun(runId)
  expect(run).toMatchObject({ status: 'succeeded', inserted: 1 + 3 + 1, rejected: 1 })
  expect(run.updated).toBeGreaterThanOrEqual(1)
})

test('keeps two accounts of one organization apart', async () => {
  const other = await world.connect('meridian')
  expect((await syncNow(world, other.connectionId)).outcome).toBe('succeeded')
  await expectUpstream(world, other.connectionId, 'meridian')
  await expectUpstream(world, connectionId, 'nordlicht')
})

test('gives way to people after each group that it has committed', async () => {
  const events: string[] = []
  const { outcome } = await syncNow(world, connectionId, {
    giveWay: async (workedMs) => {
      events.push(workedMs > 0 && workedMs < 60_000 ? 'gave way' : `after ${workedMs}`)
      return true
    },
    failpoint: (name) => {
      if (name === 'before-commit' || name === 'after-commit') events.push(name)
    },
  })
  expect(outcome).toBe('succeeded')
  const groups = events.length / 3
  expect(groups).toBeGreaterThan(2)
  expect(events).toEqual(Array(groups).fill(['before-commit', 'gave way', 'after-commit']).flat())
})
