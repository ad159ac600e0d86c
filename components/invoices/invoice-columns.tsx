import { createColumnHelper } from '@tanstack/react-table'
import { VerdictTag } from '#components/coverage/verdict-tag.tsx'
import { AlignedAmount } from '#components/figures/aligned-amount.tsx'
import { Amount } from '#components/figures/amount.tsx'
import { Mark } from '#components/primitives/mark.tsx'
import { toInvoiceAddress } from '#components/query/address.ts'
import { Link } from '#components/query/link.client.tsx'
import type { Columns } from '#components/table/list-table.client.tsx'
import type { ColumnMeta, Features } from '#components/table/table-features.ts'
import { plural } from '#components/text/plural.ts'
import { Unknown, UpstreamText } from '#components/text/upstream-text.tsx'
import type { InvoiceRow } from '#lib/ledger/model.ts'
import type { InvoiceSortKey } from '#lib/ledger/query/invoice-query.ts'
import { formatCount, formatDay } from '#lib/reconcile/format.ts'

const helper = createColumnHelper<Features, InvoiceRow>()

/** Limits sort keys to the invoices' allow-list. */
const meta = (values: ColumnMeta & { sortKey?: InvoiceSortKey }) => values

export const INVOICE_COLUMNS: Columns<InvoiceRow> = helper.columns([
  helper.accessor('serialNumber', {
    header: 'Invoice',
    meta: meta({
      sortKey: 'serial_number',
      cell: 'md:min-w-[172px] md:max-w-[172px] max-md:[grid-area:text] max-md:font-medium',
    }),
    cell: ({ row: { original } }) => (
      <Link
        href={toInvoiceAddress(original.connectionId, original.serialNumber)}
        prefetch={false}
        tabIndex={-1}
        className="block truncate font-medium hover:underline"
        title={original.serialNumber}
      >
        <bdi>{original.serialNumber}</bdi>
      </Link>
    ),
  }),
  helper.accessor('issuingDate', {
    header: 'Issued',
    meta: meta({
      sortKey: 'issuing_date',
      cell: 'md:min-w-[104px] tabular-nums max-md:[grid-area:date] max-md:text-ink3',
    }),
    cell: ({ getValue }) => <Day day={getValue()} />,
  }),
  helper.accessor('dueDate', {
    header: 'Due',
    meta: meta({ sortKey: 'due_date', cell: 'md:min-w-[104px] tabular-nums @max-[1280px]:hidden' }),
    cell: ({ getValue }) => <Day day={getValue()} />,
  }),
  helper.accessor('profileName', {
    header: 'Profile',
    meta: meta({ sortKey: 'profile', cell: 'md:w-full md:max-w-0 md:min-w-[120px] max-md:hidden' }),
    cell: ({ getValue }) => <UpstreamText text={getValue()} />,
  }),
  helper.accessor('mode', {
    header: 'Mode',
    meta: meta({ sortKey: 'mode', cell: 'md:min-w-[116px] md:max-w-[116px] @max-[1280px]:hidden' }),
    cell: ({ getValue }) => <UpstreamText text={getValue()} />,
  }),
  helper.accessor('status', {
    header: 'Status',
    meta: meta({
      sortKey: 'status',
      cell: 'md:min-w-[82px] md:max-w-[104px] max-md:[grid-area:kind] max-md:text-ink3',
    }),
    cell: ({ getValue }) => <UpstreamText text={getValue()} />,
  }),
  helper.accessor('total', {
    header: 'Total',
    meta: meta({
      sortKey: 'total',
      align: 'end',
      cell: 'md:min-w-[104px] tabular-nums max-md:[grid-area:total] max-md:font-medium',
    }),
    cell: ({ row, table }) => (
      <AlignedAmount
        amount={row.original.total}
        currency={row.original.currency}
        room={table.options.meta?.amountRoom ?? 0}
      />
    ),
  }),
  helper.accessor('currency', {
    header: () => <span className="sr-only">Currency</span>,
    meta: meta({ cell: 'md:min-w-[40px] pl-0 text-[12px] text-ink3 max-md:[grid-area:currency]' }),
  }),
  helper.accessor('creditUsed', {
    header: 'Credit used',
    meta: meta({ align: 'end', cell: 'md:min-w-[96px] tabular-nums max-md:hidden' }),
    cell: ({ row }) => <OptionalAmount amount={row.original.creditUsed} currency={row.original.currency} />,
  }),
  helper.accessor('lineCount', {
    header: 'Lines',
    meta: meta({ sortKey: 'lines', align: 'end', cell: 'md:min-w-[56px] tabular-nums max-md:hidden' }),
    cell: ({ getValue }) => formatCount(getValue()),
  }),
  helper.accessor('lineTotal', {
    header: 'Sum of lines',
    meta: meta({ align: 'end', cell: 'md:min-w-[112px] tabular-nums max-md:hidden' }),
    cell: ({ row }) => <OptionalAmount amount={row.original.lineTotal} currency={row.original.currency} />,
  }),
  helper.accessor('check', {
    header: 'Completeness',
    meta: meta({ cell: 'md:min-w-[124px] max-md:hidden' }),
    cell: ({ row }) => <VerdictTag check={row.original.check} currency={row.original.currency} />,
  }),
  helper.accessor('findingCount', {
    header: 'Findings',
    meta: meta({
      sortKey: 'findings',
      align: 'end',
      cell: 'md:min-w-[84px] tabular-nums max-md:justify-self-end max-md:[grid-area:finding]',
    }),
    cell: ({ getValue }) =>
      getValue() > 0 && (
        <span className="inline-flex items-center gap-1.5 text-bad">
          <Mark kind="failed" label={plural(getValue(), 'finding')} />
          {formatCount(getValue())}
        </span>
      ),
  }),
])

function Day({ day }: { day: InvoiceRow['issuingDate'] }) {
  return day === null ? <Unknown /> : formatDay(day)
}

/** Null means "not provided", which is not zero. */
function OptionalAmount({ amount, currency }: { amount: InvoiceRow['lineTotal']; currency: string }) {
  if (amount === null) return <Unknown label="not provided" />
  const isNothing = !/[1-9]/.test(amount)
  return <Amount amount={amount} currency={currency} className={isNothing ? 'text-ink3' : ''} />
}
