import { createColumnHelper, metaHelper, rowSortingFeature, tableFeatures } from '@tanstack/react-table'
import type { InvoiceSortKey } from '../../lib/ledger/invoice-query.ts'
import type { InvoiceRow } from '../../lib/ledger/model.ts'
import { formatCount, formatDay } from '../../lib/reconcile/format.ts'
import { VerdictTag } from '../coverage/verdict-tag.tsx'
import { Amount } from '../figures/amount.tsx'
import { Mark } from '../primitives/mark.tsx'
import { plural } from '../text/plural.ts'
import { Unknown, UpstreamText } from '../text/upstream-text.tsx'

type ColumnMeta = { sortKey?: InvoiceSortKey; align?: 'end'; cell?: string }

/** Sorting and paging happen on the server (manual mode). */
export const features = tableFeatures({ rowSortingFeature, columnMeta: metaHelper<ColumnMeta>() })

const helper = createColumnHelper<typeof features, InvoiceRow>()

export const INVOICE_COLUMNS = helper.columns([
  helper.accessor('serialNumber', {
    header: 'Invoice',
    meta: { sortKey: 'serial_number', cell: 'w-[184px] max-md:[grid-area:text] max-md:font-medium' },
  }),
  helper.accessor('issuingDate', {
    header: 'Issued',
    meta: { sortKey: 'issuing_date', cell: 'w-[108px] max-md:[grid-area:date] max-md:text-ink3' },
    cell: ({ getValue }) => <Day day={getValue()} />,
  }),
  helper.accessor('dueDate', {
    header: 'Due',
    meta: { sortKey: 'due_date', cell: 'w-[108px] @max-[1280px]:hidden' },
    cell: ({ getValue }) => <Day day={getValue()} />,
  }),
  helper.accessor('profileName', {
    header: 'Profile',
    meta: { sortKey: 'profile', cell: 'max-md:hidden' },
    cell: ({ getValue }) => <UpstreamText text={getValue()} />,
  }),
  helper.accessor('mode', {
    header: 'Mode',
    meta: { sortKey: 'mode', cell: 'w-[124px] @max-[1280px]:hidden' },
    cell: ({ getValue }) => <UpstreamText text={getValue()} />,
  }),
  helper.accessor('status', {
    header: 'Status',
    meta: { sortKey: 'status', cell: 'w-[78px] max-md:[grid-area:kind] max-md:text-ink3' },
    cell: ({ getValue }) => <UpstreamText text={getValue()} />,
  }),
  helper.accessor('total', {
    header: 'Total',
    meta: { sortKey: 'total', align: 'end', cell: 'w-[124px] max-md:[grid-area:total] max-md:font-medium' },
  }),
  helper.accessor('currency', {
    header: () => <span className="sr-only">Currency</span>,
    meta: { cell: 'w-[40px] pl-0 text-[12px] text-ink3 max-md:[grid-area:currency]' },
  }),
  helper.accessor('creditUsed', {
    header: 'Credit used',
    meta: { align: 'end', cell: 'w-[108px] max-md:hidden' },
    cell: ({ row }) => <OptionalAmount amount={row.original.creditUsed} currency={row.original.currency} />,
  }),
  helper.accessor('lineCount', {
    header: 'Lines',
    meta: { sortKey: 'lines', align: 'end', cell: 'w-[64px] max-md:hidden' },
    cell: ({ getValue }) => formatCount(getValue()),
  }),
  helper.accessor('lineTotal', {
    header: 'Sum of lines',
    meta: { align: 'end', cell: 'w-[124px] max-md:hidden' },
    cell: ({ row }) => <OptionalAmount amount={row.original.lineTotal} currency={row.original.currency} />,
  }),
  helper.accessor('check', {
    header: 'Completeness',
    meta: { cell: 'w-[124px] max-md:hidden' },
    cell: ({ row }) => <VerdictTag check={row.original.check} currency={row.original.currency} />,
  }),
  helper.accessor('findingCount', {
    header: 'Findings',
    meta: { sortKey: 'findings', align: 'end', cell: 'w-[92px] text-bad max-md:[grid-area:finding]' },
    cell: ({ getValue }) =>
      getValue() > 0 && (
        <span className="inline-flex items-center gap-1.5">
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
