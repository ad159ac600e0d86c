import { type ListQuery, toListAddress, withFilters } from '#components/query/list-address.ts'
import { plural } from '#components/text/plural.ts'
import type { CurrencyTotal, LineTotal } from '#lib/ledger/model.ts'
import { StripTotals } from './strip-totals.client.tsx'

type Total = LineTotal & Partial<CurrencyTotal>

type TotalsStripProps = {
  /** Those of invoices say how many there are. */
  totals: Total[]
  /** The list whose records they sum. */
  target: Exclude<ListQuery, { list: 'groups' }>
  label: string
  /** What the totals cover, unless everything: `1,284 of 9,310 lines`. */
  scope?: string | null
}

/** One total per currency, never across currencies; each links to exactly the records it sums. */
export function TotalsStrip({ totals, target, label, scope = null }: TotalsStripProps) {
  if (totals.length === 0) return null
  const toScope = ({ lineCount, invoiceCount }: Total) =>
    target.list === 'lines' || invoiceCount === undefined ? plural(lineCount, 'line') : plural(invoiceCount, 'invoice')
  const shown = totals.map((total) => ({
    currency: total.currency,
    scope: toScope(total),
    amount: total.totalAmount,
    findingCount: total.findingCount,
    lineStates: total.lineStates,
    href: toListAddress(withFilters(target, { currencies: [total.currency] })),
  }))
  return <StripTotals totals={shown} label={label} scope={scope} />
}
