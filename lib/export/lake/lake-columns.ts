/** The columns of the lake's tables (docs/lake.md): as the CSV files have them, with types. */
import type { LakeKind } from '#lib/ledger/lake/model.ts'
import { INVOICE_COLUMNS } from '../invoice-columns.ts'
import { LINE_COLUMNS } from '../line-columns.ts'

export type LakeType = 'text' | 'decimal' | 'day' | 'count' | 'boolean' | 'moment'

/** `field` is the name of its value in a row of the ledger. */
export type LakeColumn = { name: string; type: LakeType; field: string }

/** A table of the lake: what adds up in it, and what tells its rows apart. */
export type LakeTable = { columns: readonly LakeColumn[]; amount: string; key: readonly string[] }

const TYPES = { text: 'text', code: 'text', amount: 'decimal', day: 'day', count: 'count' } as const
const BOOLEANS = ['outOfPolicy', 'includeBreakfast', 'isGone']
/** Where a line stands is in the table of reviews: a decision leaves the lines as they are. */
const OF_REVIEWS = ['review', 'reviewReason', 'reviewBy', 'reviewAt']

function toLakeColumns(
  columns: readonly { name: string; kind: keyof typeof TYPES; field: string }[],
): readonly LakeColumn[] {
  return columns.map(({ name, kind, field }) => ({
    name,
    type: BOOLEANS.includes(field) ? 'boolean' : TYPES[kind],
    field,
  }))
}

const OF_LINE: LakeColumn[] = [
  { name: 'connection_id', type: 'text', field: 'connectionId' },
  { name: 'line_id', type: 'text', field: 'lineId' },
  { name: 'invoice_serial_number', type: 'text', field: 'invoiceSerialNumber' },
  { name: 'expense_date', type: 'day', field: 'expenseDate' },
  { name: 'currency', type: 'text', field: 'currency' },
]
const IS_GONE: LakeColumn = { name: 'is_gone', type: 'boolean', field: 'isGone' }

export const LAKE_TABLES: Record<LakeKind, LakeTable> = {
  lines: {
    columns: toLakeColumns(LINE_COLUMNS.filter(({ field }) => !OF_REVIEWS.includes(field))),
    amount: 'totalAmount',
    key: ['connectionId', 'id'],
  },
  invoices: { columns: toLakeColumns(INVOICE_COLUMNS), amount: 'total', key: ['connectionId', 'serialNumber'] },
  findings: {
    columns: [
      ...OF_LINE,
      { name: 'code', type: 'text', field: 'code' },
      { name: 'stated_amount', type: 'decimal', field: 'stated' },
      { name: 'expected_amount', type: 'decimal', field: 'expected' },
      { name: 'difference', type: 'decimal', field: 'difference' },
      { name: 'is_explained', type: 'boolean', field: 'isExplained' },
      { name: 'reason_codes', type: 'text', field: 'reasonCodes' },
      IS_GONE,
    ],
    amount: 'difference',
    key: ['connectionId', 'lineId', 'code'],
  },
  reviews: {
    columns: [
      ...OF_LINE,
      { name: 'state', type: 'text', field: 'state' },
      { name: 'amount', type: 'decimal', field: 'amount' },
      { name: 'expected_back', type: 'decimal', field: 'expectedBack' },
      { name: 'reason', type: 'text', field: 'reason' },
      { name: 'decided_by', type: 'text', field: 'decidedBy' },
      { name: 'decided_at', type: 'moment', field: 'decidedAt' },
      { name: 'decision', type: 'count', field: 'decision' },
      { name: 'suspended_at', type: 'moment', field: 'suspendedAt' },
      IS_GONE,
    ],
    amount: 'amount',
    key: ['connectionId', 'lineId'],
  },
}
