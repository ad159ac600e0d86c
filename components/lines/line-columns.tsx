import { createColumnHelper } from '@tanstack/react-table'
import type { ReactNode } from 'react'
import { AlignedAmount } from '#components/figures/aligned-amount.tsx'
import { SightBox } from '#components/table/sight-box.client.tsx'
import type { ColumnMeta, Columns, Features } from '#components/table/table-features.ts'
import { CellText } from '#components/text/upstream-text.tsx'
import { STATE_LOOKS } from '#components/verdict/verdict-looks.ts'
import { VerdictMark } from '#components/verdict/verdict-text.tsx'
import type { LineRow } from '#lib/ledger/model.ts'
import type { LineColumnName } from '#lib/ledger/query/line-columns.ts'
import type { LineSortKey } from '#lib/ledger/query/line-query.ts'
import { formatDay, formatNumber } from '#lib/reconcile/format.ts'
import { stateOf } from '#lib/reconcile/verdict.ts'
import { FindingTags } from './finding-tags.tsx'
import { FURTHER_LINE_COLUMNS } from './further-line-columns.tsx'

const helper = createColumnHelper<Features, LineRow>()

/** The line's state; where it ties out, none. */
function LineMark({ line }: { line: LineRow }) {
  const state = stateOf({ line })
  return <VerdictMark state={state} label={STATE_LOOKS[state].word} />
}

type OwnMeta = ColumnMeta & { sortKey?: LineSortKey }

/** Limits names and sort keys to those of the lines. */
const own = (id: LineColumnName, header: string, size: number, meta: OwnMeta = {}) => ({ id, header, size, meta })

/** What the platform removed is struck: it is in no total. */
function Struck({ line, children }: { line: LineRow; children: ReactNode }) {
  return line.removedOn === undefined ? children : <s>{children}</s>
}

export const LINE_COLUMNS: Columns<LineRow> = helper.columns([
  helper.display({
    id: 'mark',
    header: ({ table }) => <SightBox table={table} />,
    size: 48,
    meta: { isFixed: true, isNameHidden: true },
    cell: ({ row, table }) => (
      <>
        {/* a sum of what is in no total would be none */}
        {row.original.removedOn === undefined && (
          <input
            type="checkbox"
            tabIndex={-1}
            aria-label="Select"
            checked={row.getIsSelected()}
            onChange={({ nativeEvent }) =>
              table.options.meta?.pick(row.id, (nativeEvent as unknown as MouseEvent).shiftKey)
            }
          />
        )}
        <LineMark line={row.original} />
      </>
    ),
  }),
  helper.accessor('expenseDate', {
    ...own('expense_date', 'Expense date', 110, { sortKey: 'expense_date', kind: 'day' }),
    cell: ({ getValue }) => formatDay(getValue()),
  }),
  helper.accessor('description', {
    ...own('description', 'Description', 140, { sortKey: 'description' }),
    cell: ({ getValue, row }) => (
      <Struck line={row.original}>
        <CellText text={getValue()} unknownLabel="no description" />
      </Struck>
    ),
  }),
  helper.accessor((line) => line.tripName ?? line.tripId, {
    ...own('trip', 'Trip', 110, { sortKey: 'trip' }),
    cell: ({ getValue }) => <CellText text={getValue()} unknownLabel="no trip" />,
  }),
  helper.accessor('relatedVertical', {
    ...own('vertical', 'Vertical', 84, { sortKey: 'vertical' }),
    cell: ({ getValue }) => <CellText text={getValue()} />,
  }),
  helper.accessor('costCenter', {
    ...own('cost_center', 'Cost center', 132, { sortKey: 'cost_center' }),
    cell: ({ getValue }) => <CellText text={getValue()} unknownLabel="no cost center" />,
  }),
  helper.accessor('invoiceSerialNumber', {
    ...own('invoice', 'Invoice', 152, { sortKey: 'invoice', kind: 'id' }),
    cell: ({ getValue }) => <CellText text={getValue()} />,
  }),
  helper.accessor('quantity', {
    ...own('quantity', 'Qty', 48, { sortKey: 'quantity', kind: 'figure' }),
    cell: ({ getValue }) => formatNumber(getValue()),
  }),
  helper.accessor('totalAmount', {
    ...own('total_amount', 'Total', 104, { sortKey: 'total_amount', kind: 'figure' }),
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
    ...own('currency', 'Currency', 40, { kind: 'code', isNameHidden: true }),
  }),
  helper.accessor((line) => line.findingCodes.join(' '), {
    ...own('finding', 'Finding', 156, { sortKey: 'difference' }),
    cell: ({ row: { original: line } }) =>
      line.removedOn === undefined ? (
        <FindingTags line={line} />
      ) : (
        <span className="tag">removed {formatDay(line.removedOn)}</span>
      ),
  }),
  ...FURTHER_LINE_COLUMNS,
])
