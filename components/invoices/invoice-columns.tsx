import { createColumnHelper } from '@tanstack/react-table'
import { AlignedAmount } from '#components/figures/aligned-amount.tsx'
import { toInvoiceAddress } from '#components/query/address.ts'
import { Link } from '#components/query/link.client.tsx'
import { ReviewText } from '#components/review/review-text.tsx'
import type { ColumnMeta, Columns, Features } from '#components/table/table-features.ts'
import { CellText, Unknown } from '#components/text/upstream-text.tsx'
import { LineFindings } from '#components/verdict/line-findings.tsx'
import { VerdictText } from '#components/verdict/verdict-text.tsx'
import { describeInvoice } from '#components/verdict/verdict-words.ts'
import type { InvoiceRow } from '#lib/ledger/model.ts'
import type { InvoiceColumnName } from '#lib/ledger/query/invoice-columns.ts'
import type { InvoiceSortKey } from '#lib/ledger/query/invoice-query.ts'
import { formatCount, formatDay } from '#lib/reconcile/format.ts'
import { describeRemoval } from './describe-removal.ts'

const helper = createColumnHelper<Features, InvoiceRow>()

type InvoiceMeta = ColumnMeta & { sortKey?: InvoiceSortKey }

/** Limits names and sort keys to those of the invoices. */
const named = (id: InvoiceColumnName, header: string, size: number, meta: InvoiceMeta = {}) => ({
  id,
  header,
  size,
  meta,
})
const further = (id: InvoiceColumnName, header: string, size: number, meta: InvoiceMeta = {}) =>
  named(id, header, size, { ...meta, isFurther: true })

export const INVOICE_COLUMNS: Columns<InvoiceRow> = helper.columns([
  helper.accessor('serialNumber', {
    ...named('serial_number', 'Invoice', 176, { sortKey: 'serial_number', kind: 'id' }),
    enableHiding: false,
    cell: ({ row: { original } }) => (
      <Link href={toInvoiceAddress(original.connectionId, original.serialNumber)} tabIndex={-1}>
        {original.missingSince === null ? <bdi>{original.serialNumber}</bdi> : <s>{original.serialNumber}</s>}
      </Link>
    ),
  }),
  helper.accessor('issuingDate', {
    ...named('issuing_date', 'Issued', 104, { sortKey: 'issuing_date', kind: 'day' }),
    cell: ({ getValue }) => <Day day={getValue()} />,
  }),
  helper.accessor('dueDate', {
    ...named('due_date', 'Due', 104, { sortKey: 'due_date', kind: 'day' }),
    cell: ({ getValue }) => <Day day={getValue()} />,
  }),
  helper.accessor('profileName', {
    ...named('profile_name', 'Profile', 140, { sortKey: 'profile' }),
    cell: ({ getValue }) => <CellText text={getValue()} />,
  }),
  helper.accessor('mode', {
    ...named('mode', 'Mode', 104, { sortKey: 'mode' }),
    cell: ({ getValue }) => <CellText text={getValue()} />,
  }),
  helper.accessor('status', {
    ...named('status', 'Status', 82, { sortKey: 'status' }),
    cell: ({ getValue }) => <CellText text={getValue()} />,
  }),
  helper.accessor('total', {
    ...named('total', 'Total', 104, { sortKey: 'total', kind: 'figure' }),
    cell: ({ row, table }) => (
      <AlignedAmount
        amount={row.original.total}
        currency={row.original.currency}
        room={table.options.meta?.amountRoom ?? 0}
      />
    ),
  }),
  helper.accessor('currency', {
    ...named('currency', 'Currency', 40, { kind: 'code', isNameHidden: true }),
  }),
  helper.accessor('creditUsed', {
    ...named('credit_used', 'Credit used', 96, { kind: 'figure' }),
    cell: ({ row, table }) => (
      <OptionalAmount
        amount={row.original.creditUsed}
        currency={row.original.currency}
        room={table.options.meta?.amountRoom ?? 0}
      />
    ),
  }),
  helper.accessor('lineCount', {
    ...named('lines', 'Lines', 56, { sortKey: 'lines', kind: 'figure' }),
    cell: ({ getValue }) => formatCount(getValue()),
  }),
  helper.accessor('lineTotal', {
    ...named('line_total', 'Sum of lines', 112, { kind: 'figure' }),
    cell: ({ row, table }) => (
      <OptionalAmount
        amount={row.original.lineTotal}
        currency={row.original.currency}
        room={table.options.meta?.amountRoom ?? 0}
      />
    ),
  }),
  helper.accessor('check', {
    ...named('tie_out', 'Tie-out', 148, { sortKey: 'check', kind: 'words' }),
    cell: ({ row }) => {
      const { check, currency, missingSince } = row.original
      const { state, text } = describeInvoice(check, currency)
      return <VerdictText state={state}>{missingSince === null ? text : describeRemoval(missingSince)}</VerdictText>
    },
  }),
  helper.accessor('findingCount', {
    ...named('findings', 'Findings', 84, { sortKey: 'findings', kind: 'figure' }),
    cell: ({ row: { original } }) => (
      <LineFindings findingCount={original.findingCount} lineStates={original.lineStates} />
    ),
  }),
  helper.accessor((invoice) => invoice.legalName ?? null, {
    ...further('legal_name', 'Legal name', 140),
    cell: ({ getValue }) => <CellText text={getValue()} />,
  }),
  helper.accessor((invoice) => invoice.fromDate ?? null, {
    ...further('from_date', 'From', 104, { kind: 'day' }),
    cell: ({ getValue }) => <Day day={getValue()} />,
  }),
  helper.accessor((invoice) => invoice.toDate ?? null, {
    ...further('to_date', 'To', 104, { kind: 'day' }),
    cell: ({ getValue }) => <Day day={getValue()} />,
  }),
  helper.accessor((invoice) => invoice.billingPeriod ?? null, {
    ...further('billing_period', 'Billing period', 120),
    cell: ({ getValue }) => <CellText text={getValue()} />,
  }),
  helper.accessor((invoice) => invoice.reference ?? null, {
    ...further('reference', 'Reference', 120),
    cell: ({ getValue }) => <CellText text={getValue()} />,
  }),
  helper.accessor((invoice) => invoice.profileId ?? null, {
    ...further('profile_id', 'Profile id', 120, { kind: 'id' }),
    cell: ({ getValue }) => <CellText text={getValue()} />,
  }),
  helper.accessor((invoice) => invoice.review?.state ?? '', {
    ...further('review', 'Review', 112),
    cell: ({ row }) => row.original.review && <ReviewText {...row.original.review} />,
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
