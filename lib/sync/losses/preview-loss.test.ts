import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { personOf } from '#lib/audit/test-support/test-actor.ts'
import type { ConnectionId, RunId } from '#lib/ids.ts'
import { listChanges } from '#lib/ledger/history/history-list.ts'
import { DEFAULT_CHANGE_QUERY } from '#lib/ledger/query/history-query.ts'
import { listRollupDifferences } from '#lib/ledger/test-support/rollup-differences.ts'
import { addDecimals, type DecimalText } from '#lib/reconcile/money.ts'
import { countToType } from '../model.ts'
import { ARRANGE_TIMING, type SyncWorld, seedSyncWorld, syncNow } from '../test-support/seed.ts'
import { acceptLoss } from '../test-support/test-accept-loss.ts'
import { decideLoss, getOpenLoss } from './decide-loss.ts'
import { previewLoss } from './preview-loss.ts'
import { listAcceptedLosses, takeBackLoss } from './take-back-loss.ts'

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
const actor = () => personOf(world.userId)
const query = (text: string, values: unknown[] = [connectionId]) => world.database.query(text, values)

/** Voids eight invoices and one line of another: too much to be believed. */
async function loseMuch() {
  const gone = account().story.slice(0, 8)
  const [, short] = account()
    .story.slice(8)
    .flatMap(({ lines }) => (lines.length > 1 ? lines : []))
  mutations().removeLine(account(), short?.wire.id as string)
  for (const { serialNumber } of gone) mutations().removeInvoice(account(), serialNumber)
  const { outcome, runId } = await sync()
  expect(outcome).toBe('held')
  const ids = await lostIds(
    gone.map(({ serialNumber }) => serialNumber),
    short?.wire.id as string,
  )
  return { runId, gone, ids }
}
const preview = (runId: RunId) => previewLoss(world.organizationId, connectionId, runId)
const countMarked = async () =>
  (await query('select from line where connection_id = $1 and missing_since is not null')).length
const readLines = () =>
  query('select id, total_amount::text, missing_since, changed_at from line where connection_id = $1 order by id')

describe('a preview of an accepted loss', () => {
  test('F25: states per currency what counts now, what goes and what is left, and each meets the ledger', async () => {
    const { runId } = await loseMuch()
    const figures = await preview(runId)
    const loss = await getOpenLoss(world.organizationId, connectionId)
    expect(figures?.set).toMatchObject({ lineCount: loss?.missingLines, invoiceCount: 8, totals: loss?.totals })
    expect(figures?.shortInvoiceCount).toBe(1)
    const sums = `select currency, count(*)::int as "lineCount", sum(total_amount)::text as "totalAmount" from line
       where connection_id = $1 and missing_since is null group by currency order by currency`
    const before = await query(sums)
    expect(figures?.steps.map(({ now }) => now)).toEqual(before)
    for (const { now, removed, after } of figures?.steps ?? []) {
      expect(now.lineCount - removed.lineCount).toBe(after.lineCount)
      expect(addDecimals(after.totalAmount, removed.totalAmount)).toBe(addDecimals(now.totalAmount, '0' as DecimalText))
    }
    expect(await countMarked()).toBe(0)

    await acceptLoss(world.organizationId, connectionId, runId, actor())
    const after = await query(sums)
    const left = figures?.steps.map((step) => step.after).filter(({ lineCount }) => lineCount > 0)
    expect(after.map((each) => [each.currency, each.lineCount])).toEqual(
      left?.map((each) => [each.currency, each.lineCount]),
    )
    expect(await countMarked()).toBe(figures?.set.lineCount)
  })

  test('F25: names at most ten lines, those that are most of the loss in their currency first', async () => {
    const { runId, ids } = await loseMuch()
    const figures = await preview(runId)
    expect(figures?.largest).toHaveLength(10)
    const shares = figures?.largest.map(({ share }) => share) ?? []
    expect(shares).toEqual(shares.toSorted((a, b) => b - a))
    for (const { currency, totalAmount, share } of figures?.largest ?? []) {
      const all = await query(
        `select sum(abs(total_amount))::text as sum from line where connection_id = $1 and currency = $2 and id = any($3)`,
        [connectionId, currency, ids],
      )
      expect(share).toBe(Math.round((1000 * Math.abs(Number(totalAmount))) / Number(all[0]?.sum)))
    }
  })
})

/** Found in another way than the product does: by what was taken from the sandbox. */
async function lostIds(serials: string[], shortId: string): Promise<string[]> {
  const rows = await query(
    'select id from line where connection_id = $1 and (invoice_serial_number = any($2) or id = $3) order by id',
    [connectionId, serials, shortId],
  )
  return rows.map(({ id }) => id as string)
}

describe('accepting a loss', () => {
  test('F25: applies exactly the set that was seen: one more line there, other money, or nothing', async () => {
    const { runId, gone, ids } = await loseMuch()
    const seen = (await preview(runId))?.set.hash ?? ''
    const accept = (set: string, typed: number | null = ids.length) =>
      decideLoss(world.organizationId, connectionId, runId, { decision: 'accepted', set, typed, actor: actor() })
    expect(await accept('')).toBe('changed')
    // a line has another total than the admin has seen
    await query('update line set total_amount = total_amount + 1 where connection_id = $1 and id = $2', [
      connectionId,
      ids[0],
    ])
    expect(await accept(seen)).toBe('changed')
    await query('update line set total_amount = total_amount - 1 where connection_id = $1 and id = $2', [
      connectionId,
      ids[0],
    ])
    // an invoice has come back
    const [back] = gone
    account().story.unshift(back as NonNullable<typeof back>)
    mutations().updateInvoice(account(), back?.serialNumber as string, { status: 'unpaid' })
    expect((await sync(50)).outcome).toBe('succeeded')
    expect(await accept(seen)).toBe('changed')

    expect(await countMarked()).toBe(0)
    expect(await getOpenLoss(world.organizationId, connectionId)).not.toBeNull()
    expect(await query(`select from audit_entry where action = 'loss.accepted' and subject_id = $1::text`)).toEqual([])
    const now = await preview(runId)
    expect(now?.set.invoiceCount).toBe(7)
    const count = now?.set.lineCount ?? 0
    expect(count).toBeGreaterThan(20)
    for (const typed of [null, 0, count + 1]) expect(await accept(now?.set.hash ?? '', typed)).toBe('not-typed')
    expect(await countMarked()).toBe(0)
    expect(await accept(now?.set.hash ?? '', count)).toBe('decided')
    expect(await countMarked()).toBe(now?.set.lineCount)
  })

  test('the audit keeps how many lines and how much money of each currency', async () => {
    const { runId } = await loseMuch()
    const figures = await preview(runId)
    await acceptLoss(world.organizationId, connectionId, runId, actor())
    const [entry] = await query(
      `select after::json from audit_entry where action = 'loss.accepted' and subject_id = $1::text`,
    )
    expect(entry?.after).toEqual({
      run: runId,
      linesMarked: figures?.set.lineCount,
      invoicesMarked: 8,
      totals: figures?.set.totals,
    })
  })
})

describe('an accepted loss', () => {
  test('F25: is taken back within 30 days: every line and every sum is as it was, and it is asked again', async () => {
    const { runId } = await loseMuch()
    const before = await readLines()
    await acceptLoss(world.organizationId, connectionId, runId, actor())
    const [open, ...others] = await listAcceptedLosses(world.organizationId, connectionId)
    expect(others).toEqual([])
    expect(open).toMatchObject({ runId, decidedBy: 'Ada Admin', invoiceCount: 8, lineCount: await countMarked() })

    expect(await takeBackLoss(world.organizationId, connectionId, runId, actor())).toBe(true)
    expect(await readLines()).toEqual(before)
    expect(await query('select from invoice where connection_id = $1 and missing_since is not null')).toEqual([])
    expect(await listRollupDifferences(world.database.query)).toEqual([])
    const [entry] = await query(
      `select after::json from audit_entry where action = 'loss.taken-back' and subject_id = $1::text`,
    )
    expect(entry?.after).toEqual({ run: runId, linesBack: open?.lineCount, invoicesBack: 8, totals: open?.totals })
    // once
    expect(await takeBackLoss(world.organizationId, connectionId, runId, actor())).toBe(false)
    expect(await listAcceptedLosses(world.organizationId, connectionId)).toEqual([])
    // the platform still does not list them
    expect((await sync()).outcome).toBe('held')
  })

  test('F25: taken back leaves alone what the platform listed again and what it removed later', async () => {
    const { runId, gone } = await loseMuch()
    await acceptLoss(world.organizationId, connectionId, runId, actor())
    const [back] = gone
    account().story.unshift(back as NonNullable<typeof back>)
    await sync()
    const later = account().story.at(-1)
    mutations().removeInvoice(account(), later?.serialNumber as string)
    mutations().removeInvoice(account(), back?.serialNumber as string)
    expect((await sync()).outcome).toBe('succeeded')

    const [open] = await listAcceptedLosses(world.organizationId, connectionId)
    expect(open?.invoiceCount).toBe(7)
    expect(await takeBackLoss(world.organizationId, connectionId, runId, actor())).toBe(true)
    const marked = await query(
      'select serial_number from invoice where connection_id = $1 and missing_since is not null order by 1',
    )
    expect(marked.map(({ serial_number }) => serial_number)).toEqual([back?.serialNumber, later?.serialNumber].sort())
  })

  test('F25: opens the unreadable records again that its acceptance closed', async () => {
    const [line] = account().story[0]?.lines ?? []
    mutations().updateLine(account(), line?.wire.id as string, { total_amount: 'much' })
    await sync()
    const open = () =>
      query('select raw from rejected_line where connection_id = $1 and resolved_at is null order by raw')
    const before = await open()
    const { runId } = await loseMuch()
    await acceptLoss(world.organizationId, connectionId, runId, actor())
    expect((await open()).length).toBeLessThan(before.length)
    await takeBackLoss(world.organizationId, connectionId, runId, actor())
    expect(await open()).toEqual(before)
  })

  test('F25: leads through the bridge of the changes while it stands, and leaves it when it is taken back', async () => {
    const { runId } = await loseMuch()
    const bridges = async () => (await listChanges(world.organizationId, DEFAULT_CHANGE_QUERY, new Date())).bridges
    const before = await bridges()
    const totals = (await preview(runId))?.set.totals ?? []
    expect(totals.length).toBeGreaterThan(0)
    await acceptLoss(world.organizationId, connectionId, runId, actor())
    for (const bridge of await bridges()) {
      const was = before.find(({ currency }) => currency === bridge.currency)
      const gone = totals.find(({ currency }) => currency === bridge.currency)
      expect(bridge.removed.count - (was?.removed.count ?? 0)).toBe(gone?.lineCount ?? 0)
      expect((was?.now.count ?? 0) - bridge.now.count).toBe(gone?.lineCount ?? 0)
    }
    await takeBackLoss(world.organizationId, connectionId, runId, actor())
    expect(await bridges()).toEqual(before)
  })

  test('F25: cannot be taken back after 30 days', async () => {
    const { runId } = await loseMuch()
    await acceptLoss(world.organizationId, connectionId, runId, actor())
    const marked = await countMarked()
    for (const [table, column] of [
      ['sync_loss', 'decided_at'],
      ['line', 'missing_since'],
      ['invoice', 'missing_since'],
    ])
      await query(
        `update ${table} set ${column} = (${column} at time zone 'UTC' - interval '30 days') at time zone 'UTC' where connection_id = $1 and ${column} is not null`,
      )
    expect(await listAcceptedLosses(world.organizationId, connectionId)).toEqual([])
    expect(await takeBackLoss(world.organizationId, connectionId, runId, actor())).toBe(false)
    expect(await countMarked()).toBe(marked)
  })
})

test.each([
  [{ lineCount: 20, invoiceCount: 2 }, null],
  [{ lineCount: 21, invoiceCount: 2 }, 21],
  [{ lineCount: 0, invoiceCount: 21 }, 21],
  [{ lineCount: 5, invoiceCount: 21 }, 5],
])('the number of %o that has to be typed is %s', (set, expected) => {
  expect(countToType(set)).toBe(expected)
})
