import { createColumnHelper } from '@tanstack/react-table'
import { AlignedAmount } from '#components/figures/aligned-amount.tsx'
import { describeDaysAgo } from '#components/review/disputes/days-ago.ts'
import { ReviewText } from '#components/review/review-text.tsx'
import type { ColumnMeta, Columns, Features } from '#components/table/table-features.ts'
import { CellText, Unknown } from '#components/text/upstream-text.tsx'
import type { LineRow } from '#lib/ledger/model.ts'
import type { LineColumnName } from '#lib/ledger/query/line-columns.ts'
import type { LineSortKey } from '#lib/ledger/query/line-query.ts'
import type { Day } from '#lib/reconcile/day.ts'
import { formatDay, formatNumber } from '#lib/reconcile/format.ts'
import type { DecimalText } from '#lib/reconcile/money.ts'

const helper = createColumnHelper<Features, LineRow>()

type Optional<Value> = Value | null | undefined
type FurtherMeta = Omit<ColumnMeta, 'isFurther'> & { sortKey?: LineSortKey }

const further = (id: LineColumnName, header: string, size: number, meta: FurtherMeta = {}) => ({
  id,
  header,
  size,
  meta: { ...meta, isFurther: true as const },
})

const text = (
  id: LineColumnName,
  header: string,
  read: (line: LineRow) => Optional<string>,
  { size = 120, ...meta }: FurtherMeta & { size?: number } = {},
) =>
  helper.accessor((line) => read(line) ?? null, {
    ...further(id, header, size, meta),
    cell: ({ getValue }) => <CellText text={getValue()} />,
  })

const day = (id: LineColumnName, header: string, read: (line: LineRow) => Optional<Day>, meta: FurtherMeta = {}) =>
  helper.accessor((line) => read(line) ?? null, {
    ...further(id, header, 110, { ...meta, kind: 'day' }),
    cell: ({ getValue }) => {
      const value = getValue()
      return value === null ? <Unknown /> : formatDay(value)
    },
  })

/** In the line's currency. */
const amount = (id: LineColumnName, header: string, read: (line: LineRow) => Optional<DecimalText>) =>
  helper.accessor((line) => read(line) ?? null, {
    ...further(id, header, 104, { kind: 'figure' }),
    cell: ({ getValue, row, table }) => {
      const value = getValue()
      if (value === null) return <Unknown />
      return (
        <AlignedAmount amount={value} currency={row.original.currency} room={table.options.meta?.amountRoom ?? 0} />
      )
    },
  })

const toPolicy = (isOut: Optional<boolean>) => (isOut == null ? null : isOut ? 'out of policy' : 'in policy')
const toBreakfast = (isIncluded: Optional<boolean>) =>
  isIncluded == null ? null : isIncluded ? 'included' : 'not included'

/** What a list shows besides when somebody asks for it. */
export const FURTHER_LINE_COLUMNS: Columns<LineRow> = helper.columns([
  text('travelers', 'Travelers', (line) => line.travelerNames?.join(', ')),
  text('booker', 'Booker', (line) => line.bookerName),
  text('approvers', 'Approvers', (line) => line.approvers?.join(', ')),
  text('vendor_name', 'Vendor', (line) => line.vendorName),
  text('vendor_code', 'Vendor code', (line) => line.vendorCode, { size: 96 }),
  day('start_date', 'Trip begins', (line) => line.startDate),
  day('end_date', 'Trip ends', (line) => line.endDate),
  text('place', 'Place', (line) => line.place, { size: 140 }),
  text('service', 'Service', (line) => line.service),
  text('labels', 'Labels', (line) => line.labels?.join(', ')),
  text('custom_fields', 'Custom fields', (line) => line.customFields?.join(', '), { size: 140 }),
  text('country', 'Country', (line) => line.country, { size: 88 }),
  text('out_of_policy', 'Policy', (line) => toPolicy(line.outOfPolicy), { size: 96 }),
  text('include_breakfast', 'Breakfast', (line) => toBreakfast(line.includeBreakfast), { size: 96 }),
  text('credit_card', 'Card', (line) => line.creditCardLast4 && `•••• ${line.creditCardLast4}`, { size: 88 }),
  text('reason', 'Reason', (line) => line.reasonCodes?.map((code) => code.replaceAll('_', ' ')).join(', '), {
    size: 160,
  }),
  amount('difference', 'Difference', (line) => line.difference),
  amount('tax_difference', 'Tax difference', (line) => line.taxDifference),
  amount('expected_total_amount', 'Expected total', (line) => line.expectedTotal),
  amount('expected_tax_amount', 'Expected tax', (line) => line.expectedTax),
  text('tax_regime', 'Tax regime', (line) => line.taxRegime, { size: 96 }),
  helper.accessor((line) => line.taxPercentage ?? null, {
    ...further('tax_percentage', 'Tax rate', 72, { kind: 'figure' }),
    cell: ({ getValue }) => {
      const value = getValue()
      return value === null ? <Unknown /> : `${formatNumber(value)} %`
    },
  }),
  amount('tax_amount', 'Tax', (line) => line.taxAmount),
  amount('unit_price', 'Unit price', (line) => line.unitPrice),
  amount('non_taxable_unit_price', 'Non-taxable unit price', (line) => line.nonTaxableUnitPrice),
  text('invoice_status', 'Status', (line) => line.invoiceStatus, { sortKey: 'status', size: 88 }),
  text('invoice_mode', 'Mode', (line) => line.invoiceMode, { size: 104 }),
  day('issuing_date', 'Issued', (line) => line.issuingDate, { sortKey: 'issuing_date' }),
  day('due_date', 'Due', (line) => line.dueDate),
  text('profile_name', 'Profile', (line) => line.profileName, { size: 140 }),
  text('profile_id', 'Profile id', (line) => line.profileId, { kind: 'id' }),
  text('connection_name', 'Connection', (line) => line.connectionName),
  text('trip_id', 'Trip id', (line) => line.tripId, { kind: 'id' }),
  text('id', 'Line id', (line) => line.id, { kind: 'id' }),
  day('first_seen', 'First seen', (line) => line.firstSeenOn),
  helper.accessor((line) => line.review?.state ?? 'open', {
    ...further('review', 'Review', 112),
    cell: ({ row: { original: line } }) => <ReviewOfRow line={line} />,
  }),
  text('disputed', 'Disputed', (line) => line.dispute && describeDaysAgo(line.dispute.daysWaiting), { size: 104 }),
  text('letter', 'Letter', (line) => line.dispute && toLetterText(line.dispute.letter), { size: 168 }),
])

function toLetterText(letter: NonNullable<LineRow['dispute']>['letter']): string {
  return letter === null ? 'not sent' : `sent ${describeDaysAgo(letter.daysAgo)} by ${letter.name}`
}

/** Where a line stands; one that ties out and that nobody decided has nothing to say. */
function ReviewOfRow({ line: { review, findingCodes } }: { line: LineRow }) {
  if (!review) return findingCodes.length > 0 ? <ReviewText state="open" /> : null
  return <ReviewText state={review.state} previous={review.previous} cause={review.cause} />
}
