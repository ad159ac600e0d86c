import { createColumnHelper } from '@tanstack/react-table'
import { AlignedAmount } from '#components/figures/aligned-amount.tsx'
import { Mark } from '#components/primitives/mark.tsx'
import type { Columns } from '#components/table/list-table.client.tsx'
import type { ColumnMeta, Features } from '#components/table/table-features.ts'
import { UpstreamText } from '#components/text/upstream-text.tsx'
import type { LineRow } from '#lib/ledger/model.ts'
import type { LineSortKey } from '#lib/ledger/query/line-query.ts'
import { formatCount, formatDay, formatNumber } from '#lib/reconcile/format.ts'
import { FindingTags } from './finding-tags.tsx'
import { writeLineKey } from './line-key.ts'

/**
 * Text columns have a maximum width: longer text is cut, and whole on hover. Figures are never cut.
 */
const TEXT = {
  narrow: 'md:min-w-[84px] md:max-w-[84px]',
  normal: 'md:min-w-[136px] md:max-w-[136px]',
  wide: 'md:min-w-[156px] md:max-w-[156px]',
  widest: 'md:min-w-[196px] md:max-w-[196px]',
}

const helper = createColumnHelper<Features, LineRow>()

/** Limits sort keys to the lines' allow-list. */
const meta = (values: ColumnMeta & { sortKey?: LineSortKey }) => values

export const LINE_COLUMNS: Columns<LineRow> = helper.columns([
  helper.display({
    id: 'mark',
    header: () => <span className="sr-only">Mark</span>,
    meta: meta({ cell: 'md:min-w-[48px] max-md:[grid-area:mark]' }),
    cell: ({ row }) => (
      <span className="flex items-center gap-2">
        <input
          type="checkbox"
          tabIndex={-1}
          aria-label="Select"
          checked={row.getIsSelected()}
          onChange={row.getToggleSelectedHandler()}
          onClick={(event) => event.stopPropagation()}
          className="-ml-3.5 size-3.5 shrink-0 accent-accent opacity-0 checked:opacity-100 group-hover:opacity-100 group-focus-visible:opacity-100 max-md:hidden"
        />
        {row.original.findingCodes.length > 0 && (
          <Mark kind="failed" label={`${formatCount(row.original.findingCodes.length)} failed`} />
        )}
      </span>
    ),
  }),
  helper.accessor('expenseDate', {
    header: 'Expense date',
    meta: meta({
      sortKey: 'expense_date',
      cell: 'md:min-w-[110px] tabular-nums max-md:[grid-area:date] max-md:text-ink3',
    }),
    cell: ({ getValue }) => formatDay(getValue()),
  }),
  helper.accessor('description', {
    header: 'Description',
    meta: meta({
      sortKey: 'description',
      cell: 'md:w-full md:max-w-0 md:min-w-[140px] max-md:[grid-area:text] max-md:font-medium',
    }),
    cell: ({ getValue }) => <UpstreamText text={getValue()} unknownLabel="no description" />,
  }),
  helper.accessor((line) => line.tripName ?? line.tripId, {
    id: 'trip',
    header: 'Trip',
    meta: meta({
      sortKey: 'trip',
      cell: `${TEXT.widest} @max-[940px]:min-w-[132px] @max-[940px]:max-w-[132px] max-md:hidden`,
    }),
    cell: ({ getValue }) => <UpstreamText text={getValue()} unknownLabel="no trip" />,
  }),
  helper.accessor('relatedVertical', {
    header: 'Vertical',
    meta: meta({ sortKey: 'vertical', cell: `${TEXT.narrow} max-md:[grid-area:kind] max-md:text-ink3` }),
    cell: ({ getValue }) => <UpstreamText text={getValue()} />,
  }),
  helper.accessor('costCenter', {
    header: 'Cost center',
    meta: meta({ sortKey: 'cost_center', cell: `${TEXT.normal} @max-[940px]:hidden` }),
    cell: ({ getValue }) => <UpstreamText text={getValue()} unknownLabel="no cost center" />,
  }),
  helper.accessor('invoiceSerialNumber', {
    header: 'Invoice',
    meta: meta({ sortKey: 'invoice', cell: `${TEXT.wide} @max-[1100px]:hidden` }),
    cell: ({ getValue }) => <UpstreamText text={getValue()} />,
  }),
  helper.accessor('quantity', {
    header: 'Qty',
    meta: meta({ sortKey: 'quantity', align: 'end', cell: 'md:min-w-[48px] tabular-nums max-md:hidden' }),
    cell: ({ getValue }) => formatNumber(getValue()),
  }),
  helper.accessor('totalAmount', {
    header: 'Total',
    meta: meta({
      sortKey: 'total_amount',
      align: 'end',
      cell: 'md:min-w-[104px] tabular-nums max-md:[grid-area:total] max-md:font-medium',
    }),
    cell: ({ row, table }) => (
      <AlignedAmount
        amount={row.original.totalAmount}
        currency={row.original.currency}
        room={table.options.meta?.amountRoom ?? 0}
      />
    ),
  }),
  helper.accessor('currency', {
    header: () => <span className="sr-only">Currency</span>,
    meta: meta({ cell: 'md:min-w-[40px] pl-0 text-[12px] text-ink3 max-md:[grid-area:currency]' }),
  }),
  helper.display({
    id: 'finding',
    header: 'Finding',
    meta: meta({
      sortKey: 'difference',
      cell: 'md:min-w-[132px] md:max-w-[260px] max-md:justify-self-end max-md:[grid-area:finding]',
    }),
    cell: ({ row }) => <FindingTags line={row.original} />,
  }),
])

/** The columns of a table whose lines share one invoice. */
export const INVOICE_LINE_COLUMNS: Columns<LineRow> = LINE_COLUMNS.filter(
  (column) => !('accessorKey' in column && column.accessorKey === 'invoiceSerialNumber'),
)

export function toRowKey(line: LineRow): string {
  return writeLineKey(line)
}
