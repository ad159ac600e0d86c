import { createColumnHelper } from '@tanstack/react-table'
import type { ReactNode } from 'react'
import { AlignedAmount } from '#components/figures/aligned-amount.tsx'
import type { ColumnMeta, Columns, Features } from '#components/table/table-features.ts'
import { CellText } from '#components/text/upstream-text.tsx'
import { STATE_LOOKS } from '#components/verdict/verdict-looks.ts'
import { VerdictMark } from '#components/verdict/verdict-text.tsx'
import type { LineRow } from '#lib/ledger/model.ts'
import type { LineSortKey } from '#lib/ledger/query/line-query.ts'
import { formatDay, formatNumber } from '#lib/reconcile/format.ts'
import { stateOf } from '#lib/reconcile/verdict.ts'
import { FindingTags } from './finding-tags.tsx'

const helper = createColumnHelper<Features, LineRow>()

/** The line's state; where it ties out, none. */
function LineMark({ line }: { line: LineRow }) {
  const state = stateOf({ line })
  return <VerdictMark state={state} label={STATE_LOOKS[state].word} />
}

/** Limits sort keys to the lines' allow-list. */
const meta = (values: ColumnMeta & { sortKey?: LineSortKey }) => values

/** What the platform removed is struck: it is in no total. */
function Struck({ line, children }: { line: LineRow; children: ReactNode }) {
  return line.removedOn === undefined ? children : <s>{children}</s>
}

export const LINE_COLUMNS: Columns<LineRow> = helper.columns([
  helper.display({
    id: 'mark',
    header: 'Mark',
    meta: meta({ cell: 'line-mark', isNameHidden: true }),
    cell: ({ row, table }) => (
      <>
        {/* a sum of what is in no total would be none */}
        {row.original.removedOn === undefined && (
          <input
            type="checkbox"
            tabIndex={-1}
            aria-label="Select"
            checked={table.options.meta?.isSelected}
            onChange={() => table.options.meta?.toggle(row.id)}
          />
        )}
        <LineMark line={row.original} />
      </>
    ),
  }),
  helper.accessor('expenseDate', {
    header: 'Expense date',
    meta: meta({
      sortKey: 'expense_date',
      cell: 'line-date',
    }),
    cell: ({ getValue }) => formatDay(getValue()),
  }),
  helper.accessor('description', {
    header: 'Description',
    meta: meta({
      sortKey: 'description',
      cell: 'line-text',
    }),
    cell: ({ getValue, row }) => (
      <Struck line={row.original}>
        <CellText text={getValue()} unknownLabel="no description" />
      </Struck>
    ),
  }),
  helper.accessor((line) => line.tripName ?? line.tripId, {
    id: 'trip',
    header: 'Trip',
    meta: meta({
      sortKey: 'trip',
      cell: 'line-trip',
    }),
    cell: ({ getValue }) => <CellText text={getValue()} unknownLabel="no trip" />,
  }),
  helper.accessor('relatedVertical', {
    header: 'Vertical',
    meta: meta({ sortKey: 'vertical', cell: 'line-kind' }),
    cell: ({ getValue }) => <CellText text={getValue()} />,
  }),
  helper.accessor('costCenter', {
    header: 'Cost center',
    meta: meta({ sortKey: 'cost_center', cell: 'line-center' }),
    cell: ({ getValue }) => <CellText text={getValue()} unknownLabel="no cost center" />,
  }),
  helper.accessor('invoiceSerialNumber', {
    header: 'Invoice',
    meta: meta({ sortKey: 'invoice', cell: 'line-invoice' }),
    cell: ({ getValue }) => <CellText text={getValue()} />,
  }),
  helper.accessor('quantity', {
    header: 'Qty',
    meta: meta({ sortKey: 'quantity', align: 'end', cell: 'line-quantity' }),
    cell: ({ getValue }) => formatNumber(getValue()),
  }),
  helper.accessor('totalAmount', {
    header: 'Total',
    meta: meta({
      sortKey: 'total_amount',
      align: 'end',
      cell: 'line-total',
    }),
    cell: ({ row, table }) => (
      <Struck line={row.original}>
        <AlignedAmount
          amount={row.original.totalAmount}
          currency={row.original.currency}
          room={table.options.meta?.amountRoom ?? 0}
        />
      </Struck>
    ),
  }),
  helper.accessor('currency', {
    header: 'Currency',
    meta: meta({ cell: 'line-currency', isNameHidden: true }),
  }),
  helper.display({
    id: 'finding',
    header: 'Finding',
    meta: meta({
      sortKey: 'difference',
      cell: 'line-finding',
    }),
    cell: ({ row: { original: line } }) =>
      line.removedOn === undefined ? (
        <FindingTags line={line} />
      ) : (
        <span className="tag">removed {formatDay(line.removedOn)}</span>
      ),
  }),
])
