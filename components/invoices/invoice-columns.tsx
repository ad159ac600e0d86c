import { createColumnHelper } from '@tanstack/react-table'
import { AlignedAmount } from '#components/figures/aligned-amount.tsx'
import { toInvoiceAddress } from '#components/query/address.ts'
import { Link } from '#components/query/link.client.tsx'
import type { ColumnMeta, Columns, Features } from '#components/table/table-features.ts'
import { CellText, Unknown } from '#components/text/upstream-text.tsx'
import { LineFindings } from '#components/verdict/line-findings.tsx'
import { VerdictText } from '#components/verdict/verdict-text.tsx'
import { describeInvoice } from '#components/verdict/verdict-words.ts'
import type { InvoiceRow } from '#lib/ledger/model.ts'
import type { InvoiceSortKey } from '#lib/ledger/query/invoice-query.ts'
import { formatCount, formatDay } from '#lib/reconcile/format.ts'
import { describeRemoval } from './describe-removal.ts'

const helper = createColumnHelper<Features, InvoiceRow>()

/** Limits sort keys to the invoices' allow-list. */
const meta = (values: ColumnMeta & { sortKey?: InvoiceSortKey }) => values

export const INVOICE_COLUMNS: Columns<InvoiceRow> = helper.columns([
  helper.accessor('serialNumber', {
    header: 'Invoice',
    meta: meta({
      sortKey: 'serial_number',
      cell: 'invoice-number',
    }),
    cell: ({ row: { original } }) => (
      <Link href={toInvoiceAddress(original.connectionId, original.serialNumber)} tabIndex={-1}>
        {original.missingSince === null ? <bdi>{original.serialNumber}</bdi> : <s>{original.serialNumber}</s>}
      </Link>
    ),
  }),
  helper.accessor('issuingDate', {
    header: 'Issued',
    meta: meta({
      sortKey: 'issuing_date',
      cell: 'invoice-issued',
    }),
    cell: ({ getValue }) => <Day day={getValue()} />,
  }),
  helper.accessor('dueDate', {
    header: 'Due',
    meta: meta({ sortKey: 'due_date', cell: 'invoice-due' }),
    cell: ({ getValue }) => <Day day={getValue()} />,
  }),
  helper.accessor('profileName', {
    header: 'Profile',
    meta: meta({ sortKey: 'profile', cell: 'invoice-profile' }),
    cell: ({ getValue }) => <CellText text={getValue()} />,
  }),
  helper.accessor('mode', {
    header: 'Mode',
    meta: meta({ sortKey: 'mode', cell: 'invoice-mode' }),
    cell: ({ getValue }) => <CellText text={getValue()} />,
  }),
  helper.accessor('status', {
    header: 'Status',
    meta: meta({
      sortKey: 'status',
      cell: 'invoice-status',
    }),
    cell: ({ getValue }) => <CellText text={getValue()} />,
  }),
  helper.accessor('total', {
    header: 'Total',
    meta: meta({
      sortKey: 'total',
      align: 'end',
      cell: 'invoice-total',
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
    header: 'Currency',
    meta: meta({ cell: 'invoice-currency', isNameHidden: true }),
  }),
  helper.accessor('creditUsed', {
    header: 'Credit used',
    meta: meta({ align: 'end', cell: 'invoice-credit' }),
    cell: ({ row, table }) => (
      <OptionalAmount
        amount={row.original.creditUsed}
        currency={row.original.currency}
        room={table.options.meta?.amountRoom ?? 0}
      />
    ),
  }),
  helper.accessor('lineCount', {
    header: 'Lines',
    meta: meta({ sortKey: 'lines', align: 'end', cell: 'invoice-lines' }),
    cell: ({ getValue }) => formatCount(getValue()),
  }),
  helper.accessor('lineTotal', {
    header: 'Sum of lines',
    meta: meta({ align: 'end', cell: 'invoice-sum' }),
    cell: ({ row, table }) => (
      <OptionalAmount
        amount={row.original.lineTotal}
        currency={row.original.currency}
        room={table.options.meta?.amountRoom ?? 0}
      />
    ),
  }),
  helper.accessor('check', {
    header: 'Tie-out',
    meta: meta({ sortKey: 'check', cell: 'invoice-check' }),
    cell: ({ row }) => {
      const { check, currency, missingSince } = row.original
      const { state, text } = describeInvoice(check, currency)
      return <VerdictText state={state}>{missingSince === null ? text : describeRemoval(missingSince)}</VerdictText>
    },
  }),
  helper.accessor('findingCount', {
    header: 'Findings',
    meta: meta({
      sortKey: 'findings',
      align: 'end',
      cell: 'invoice-findings',
    }),
    cell: ({ row: { original } }) => (
      <LineFindings findingCount={original.findingCount} lineStates={original.lineStates} />
    ),
  }),
])

function Day({ day }: { day: InvoiceRow['issuingDate'] }) {
  return day === null ? <Unknown /> : formatDay(day)
}

/** Null means "not provided", which is not zero. */
function OptionalAmount({ amount, ...column }: { amount: InvoiceRow['lineTotal']; currency: string; room: number }) {
  if (amount === null) return <Unknown label="not provided" />
  const isNothing = !/[1-9]/.test(amount)
  const shown = <AlignedAmount amount={amount} {...column} />
  return isNothing ? <span className="text-ink3">{shown}</span> : shown
}
