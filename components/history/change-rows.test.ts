import { expect, test } from 'vitest'
import type { ConnectionId, RunId } from '#lib/ids.ts'
import type { InvoiceChanges, LineChange, RecordChange } from '#lib/ledger/model.ts'
import type { Day } from '#lib/reconcile/day.ts'
import type { DecimalText } from '#lib/reconcile/money.ts'
import { diffRecords } from '#lib/reconcile/record-diff.ts'
import { toChangeRows } from './change-rows.ts'

const eur = (amount: string) => ({ amount: amount as DecimalText, currency: 'EUR' })
const change = (before: object, after: object, difference: string): RecordChange => ({
  validFrom: '2026-11-14T00:00:00.000Z',
  seenAt: '2026-11-20T00:00:00.000Z',
  runId: '12345678-aaaa-bbbb-cccc-000000000000' as RunId,
  trigger: 'manual',
  startedBy: 'Ana',
  fields: diffRecords(JSON.stringify(before), JSON.stringify(after)),
  before: eur('885.99'),
  after: eur('896.99'),
  effect: { currency: 'EUR', difference: difference as DecimalText },
})
const line = (of: RecordChange, isInherited = false): LineChange => ({
  ...of,
  lineId: 'a',
  description: 'Flight',
  expenseDate: '2026-11-01' as Day,
  isInherited,
  isLate: false,
})
const group = (parts: Partial<InvoiceChanges>): InvoiceChanges => ({
  connectionId: 'c' as ConnectionId,
  connectionName: null,
  serialNumber: 'INV-1',
  profileName: null,
  runId: null,
  trigger: null,
  startedBy: null,
  seenAt: '2026-11-20T00:00:00.000Z',
  invoice: [],
  lines: [],
  lineCount: parts.lines?.length ?? 0,
  removed: [],
  removedCount: parts.removed?.length ?? 0,
  removedInvoice: null,
  ...parts,
})
const removed = {
  id: 'b',
  description: 'Hotel',
  expenseDate: '2026-11-02' as Day,
  currency: 'EUR',
  totalAmount: '77.50' as DecimalText,
  missingSince: '2026-11-20T00:00:00.000Z',
}
const tell = (of: InvoiceChanges) =>
  toChangeRows(of).rows.map((row) =>
    row.kind === 'field'
      ? [row.field.path, row.effect]
      : [row.kind, row.kind === 'removed' ? row.effect : row.kind === 'summary' && row.followsLines],
  )

test('a removed line stands first with what it takes off, then totals before other fields', () => {
  const fields = line(
    change(
      { unit_price: '885.99', metadata: { cost_center: '4100' }, total_amount: '885.99' },
      { unit_price: '896.99', metadata: { cost_center: '4200' }, total_amount: '896.99' },
      '11.00',
    ),
  )
  expect(tell(group({ lines: [fields], removed: [removed] }))).toEqual([
    ['removed', { kind: 'money', amount: '-77.50', currency: 'EUR' }],
    ['total_amount', { kind: 'money', amount: '11.00', currency: 'EUR' }],
    ['unit_price', { kind: 'difference', difference: '11.00', unit: 'amount', currency: 'EUR' }],
    ['metadata.cost_center', { kind: 'moved', amount: '896.99', currency: 'EUR' }],
  ])
})

test('says once that a change has no effect on the amount, or that its currency is another', () => {
  const renamed = change({ description: 'A', service: 'x' }, { description: 'B', service: 'y' }, '0.00')
  expect(tell(group({ lines: [line(renamed)] }))).toEqual([
    ['description', { kind: 'none' }],
    ['service', null],
  ])
  const moved = { ...change({ currency: 'EUR' }, { currency: 'USD' }, '0'), effect: null }
  moved.after = { ...moved.after, currency: 'USD' }
  expect(tell(group({ lines: [line(moved)] }))).toEqual([
    ['currency', { kind: 'currency', before: 'EUR', after: 'USD' }],
  ])
})

test('what an invoice only sums up is folded, its total too where it is exactly its lines’', () => {
  const lines = [line(change({ total_amount: '885.99' }, { total_amount: '896.99' }, '11.00'))]
  const total = (difference: string) =>
    change(
      { total: '1000.00', status: 'unpaid', taxes_summary: [{ total: '5.00' }] },
      { total: '1011.00', status: 'paid', taxes_summary: [{ total: '6.00' }] },
      difference,
    )
  expect(tell(group({ lines, invoice: [total('11.00')] })).slice(1)).toEqual([
    ['status', { kind: 'none' }],
    ['summary', true],
  ])
  const odd = tell(group({ lines, invoice: [total('12.00')] })).slice(1)
  expect(odd.map(([what]) => what)).toEqual(['total', 'status', 'summary'])
  // lines beyond those that are here may be the rest of it
  expect(tell(group({ lines, lineCount: 2, invoice: [total('11.00')] })).at(-1)).toEqual(['summary', false])
})

test('lines that repeat their invoice or restate a figure are counted, not listed', () => {
  const repeats = line(change({ invoice_status: 'unpaid' }, { invoice_status: 'paid' }, '0.00'), true)
  const restated = line({ ...change({}, {}, '0.00'), fields: [] })
  expect(toChangeRows(group({ lines: [repeats, repeats, restated] }))).toEqual({
    rows: [],
    inheritedCount: 2,
    restatedCount: 1,
  })
})
