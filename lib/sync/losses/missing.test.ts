import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { personOf } from '#lib/audit/test-support/test-actor.ts'
import type { ConnectionId, RunId } from '#lib/ids.ts'
import { ARRANGE_TIMING, type SyncWorld, seedSyncWorld, syncNow } from '../test-support/seed.ts'
import { acceptLoss } from '../test-support/test-accept-loss.ts'
import { expectUpstream } from '../test-support/test-upstream.ts'
import { decideLoss, getOpenLoss } from './decide-loss.ts'

const NOW = () => new Date('2026-11-20T12:00:00Z')
let world: SyncWorld
let connectionId: ConnectionId

beforeAll(async () => {
  world = await seedSyncWorld({ pageSize: 50 })
})
afterAll(() => world.close())

beforeEach(async () => {
  world.sandbox.reset()
  connectionId = (await world.connect('nordlicht')).connectionId
  await sync()
})

const sync = (windowRecords = 1000) =>
  syncNow(world, connectionId, { now: NOW, timing: { ...ARRANGE_TIMING, windowRecords } })
const account = () => world.sandbox.state().requireAccount('nordlicht')
const mutations = () => world.sandbox.state().mutations
const missing = async () => {
  const [row] = await world.database.query<{ lines: number; invoices: number; rows: number }>(
    `select (select count(*)::int from line where connection_id = $1 and missing_since is not null) as lines,
            (select count(*)::int from invoice where connection_id = $1 and missing_since is not null) as invoices,
            (select count(*)::int from line where connection_id = $1) as rows`,
    [connectionId],
  )
  return row as { lines: number; invoices: number; rows: number }
}
async function readRun(runId: RunId) {
  const [row] = await world.database.query('select * from sync_run where id = $1', [runId])
  return row as Record<string, unknown>
}

test.each([
  ['read in one piece', 1000],
  ['read in parts', 50],
])(
  'F25: an invoice that was voided upstream is marked, never deleted, by a complete reading (%s)',
  async (_, windowRecords) => {
    const before = await missing()
    const [first] = account().story.filter(({ header }) => String(header.issuing_date) > '2026-11-01')
    mutations().removeInvoice(account(), first?.serialNumber as string)
    const { outcome, runId } = await sync(windowRecords)
    expect(outcome).toBe('succeeded')
    expect(await missing()).toEqual({ lines: first?.lines.length, invoices: 1, rows: before.rows })
    expect(await readRun(runId)).toMatchObject({ lines_missing: first?.lines.length, invoices_missing: 1 })
    await expectUpstream(world, connectionId, 'nordlicht')
  },
)

test('F25: a row that comes back is unmarked, changed or not', async () => {
  const [invoice, other] = account().story
  const [line] = invoice?.lines ?? []
  mutations().removeLine(account(), line?.wire.id as string)
  mutations().removeInvoice(account(), other?.serialNumber as string)
  await sync()
  expect(await missing()).toMatchObject({ lines: 1 + (other?.lines.length ?? 0), invoices: 1 })
  invoice?.lines.unshift(line as NonNullable<typeof line>)
  account().story.splice(1, 0, other as NonNullable<typeof other>)
  await sync()
  expect(await missing()).toMatchObject({ lines: 0, invoices: 0 })
  await expectUpstream(world, connectionId, 'nordlicht')
})

test('an incremental sync finds an old open invoice that was voided', async () => {
  const [, unpaid] = account().story.filter(
    ({ header }) => header.status === 'unpaid' && String(header.issuing_date) < '2026-10-01',
  )
  mutations().removeInvoice(account(), unpaid?.serialNumber as string)
  const { runId } = await sync(50)
  expect(await readRun(runId)).toMatchObject({ kind: 'incremental', look_back_from: expect.anything() })
  expect(await missing()).toMatchObject({ invoices: 1, lines: unpaid?.lines.length })
})

test('an invoice missing from a completely read list takes its lines along', async () => {
  const old = account().story[3]
  mutations().removeInvoice(account(), old?.serialNumber as string)
  await sync(100)
  expect(await missing()).toMatchObject({ invoices: 1, lines: old?.lines.length })
})

test('an incremental sync marks nothing that it did not read', async () => {
  const [old] = account().story
  expect(old?.header.status).toBe('paid')
  mutations().removeInvoice(account(), old?.serialNumber as string)
  await sync(50)
  expect(await missing()).toMatchObject({ invoices: 0, lines: 0 })
})

test('F23: a line that becomes unreadable gives way to its rejected record, and comes back later', async () => {
  const line = account().story[5]?.lines[0]?.wire
  const id = line?.id as string
  const amount = line?.total_amount as string
  mutations().updateLine(account(), id, { total_amount: '12,30' })
  expect((await readRun((await sync()).runId)).lines_missing).toBe(0)
  await expectUpstream(world, connectionId, 'nordlicht')
  mutations().updateLine(account(), id, { total_amount: amount })
  await sync()
  expect(await missing()).toMatchObject({ lines: 0 })
  await expectUpstream(world, connectionId, 'nordlicht')
})

const openRejections = async (list: string) => {
  const rows = await world.database.query<{ raw: string }>(
    'select raw from rejected_line where connection_id = $1 and list = $2 and resolved_at is null order by raw',
    [connectionId, list],
  )
  return rows.map(({ raw }) => raw)
}

type Stage = { break: () => void; mend: () => void }
const STAGES: Record<string, [list: string, stage: () => Stage]> = {
  'a line that gets its id back': [
    'lines',
    () => {
      const [line] = account().story[5]?.lines ?? []
      const { wire } = line as NonNullable<typeof line>
      const set = (value: typeof wire) => Object.assign(line as object, { wire: value })
      return { break: () => set({ ...wire, id: null }), mend: () => set(wire) }
    },
  ],
  'a line that is withdrawn': [
    'lines',
    () => {
      const [line] = account().story[5]?.lines ?? []
      const id = line?.wire.id as string
      return {
        break: () => mutations().updateLine(account(), id, { total_amount: 'much' }),
        mend: () => mutations().removeLine(account(), id),
      }
    },
  ],
  'an invoice that is withdrawn': [
    'invoices',
    () => {
      const serial = account().story[0]?.serialNumber as string
      return {
        break: () => mutations().updateInvoice(account(), serial, { currency: 'much' }),
        mend: () => mutations().removeInvoice(account(), serial),
      }
    },
  ],
  'a profile that is withdrawn': [
    'profiles',
    () => ({
      break: () => void account().profiles.push({ ...account().profiles[0], id: null } as never),
      mend: () => void account().profiles.pop(),
    }),
  ],
}

test.each(Object.entries(STAGES))(
  'F23: the next complete reading closes the rejected record of %s whose text never comes again',
  async (_, [list, toStage]) => {
    const before = await openRejections(list)
    const stage = toStage()
    stage.break()
    expect((await sync()).outcome).toBe('succeeded')
    expect((await openRejections(list)).length).toBe(before.length + 1)
    stage.mend()
    expect((await sync()).outcome).toBe('succeeded')
    // those still unchanged stay open
    expect(await openRejections(list)).toEqual(before)
    await expectUpstream(world, connectionId, 'nordlicht')
  },
)

test('F25: an empty list after an outage is held for an admin, with the figures, and marks nothing', async () => {
  const { rows } = await missing()
  for (const list of ['/api/v1/invoices', '/api/v1/invoices/lines'])
    world.sandbox.state().faults.add({ match: { path: list }, times: 1, action: { type: 'empty_list' } })
  const { outcome, runId } = await sync()
  expect(outcome).toBe('held')
  expect(await readRun(runId)).toMatchObject({ status: 'held', error_code: null })
  expect(await missing()).toEqual({ lines: 0, invoices: 0, rows })
  const loss = await getOpenLoss(world.organizationId, connectionId)
  const totals = await world.sandbox.controlTotals('nordlicht')
  expect(loss).toMatchObject({ runId, lineCount: rows, missingLines: rows, invoiceCount: 61, missingInvoices: 61 })
  expect(loss?.totals.map(({ currency, lineCount }) => [currency, lineCount])).toEqual(
    totals.currencies.map(({ currency, lineCount }) => [currency, lineCount]),
  )
  // the outage is over: the next complete reading meets everything and leaves nothing to decide
  await sync()
  expect(await getOpenLoss(world.organizationId, connectionId)).toBeNull()
  expect(await readRun(runId)).toMatchObject({ status: 'succeeded' })
  await expectUpstream(world, connectionId, 'nordlicht')
})

/** Voids too much to be believed. */
async function loseMuch() {
  const gone = account().story.slice(0, 8)
  for (const { serialNumber } of gone) mutations().removeInvoice(account(), serialNumber)
  const { outcome, runId } = await sync()
  expect(outcome).toBe('held')
  const loss = await getOpenLoss(world.organizationId, connectionId)
  expect(loss?.missingInvoices).toBe(8)
  return { runId, lines: loss?.missingLines ?? 0, invoices: gone }
}

test('F25: accepting a loss marks what is missing', async () => {
  const { runId, lines } = await loseMuch()
  const actor = personOf(world.userId)
  expect(await acceptLoss(world.organizationId, connectionId, runId, actor)).toBe('decided')
  expect(await missing()).toMatchObject({ lines, invoices: 8 })
  expect(await readRun(runId)).toMatchObject({ status: 'succeeded', lines_missing: lines, invoices_missing: 8 })
  await expectUpstream(world, connectionId, 'nordlicht')
  expect(await decideLoss(world.organizationId, connectionId, runId, { decision: 'rejected', actor })).toBe('over')
})

test('F25: does not mark what came back between the loss and its acceptance', async () => {
  const { runId, invoices } = await loseMuch()
  const [back] = invoices
  account().story.unshift(back as NonNullable<typeof back>)
  mutations().updateInvoice(account(), back?.serialNumber as string, { status: 'unpaid' })
  expect((await sync(50)).outcome).toBe('succeeded')
  await acceptLoss(world.organizationId, connectionId, runId, personOf(world.userId))
  expect(await missing()).toMatchObject({ invoices: 7 })
  await expectUpstream(world, connectionId, 'nordlicht')
})

test('F25: a loss that a later reading replaced is another one, and accepting it marks nothing', async () => {
  const { runId } = await loseMuch()
  const [, second] = account().story
  mutations().removeInvoice(account(), second?.serialNumber as string)
  const later = await sync()
  expect(later.outcome).toBe('held')
  const choice = { decision: 'accepted', set: '0'.repeat(64), typed: null, actor: personOf(world.userId) } as const
  expect(await decideLoss(world.organizationId, connectionId, runId, choice)).toBe('changed')
  expect(await missing()).toMatchObject({ lines: 0, invoices: 0 })
  expect((await getOpenLoss(world.organizationId, connectionId))?.runId).toBe(later.runId)
})

test('F25: rejecting a loss keeps everything, and the next complete reading asks again', async () => {
  const { runId } = await loseMuch()
  await decideLoss(world.organizationId, connectionId, runId, { decision: 'rejected', actor: personOf(world.userId) })
  expect(await missing()).toMatchObject({ lines: 0, invoices: 0 })
  expect(await getOpenLoss(world.organizationId, connectionId)).toBeNull()
  expect((await sync()).outcome).toBe('held')
})
