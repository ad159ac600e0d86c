import { Amount } from '#components/figures/amount.tsx'
import { ScrollBox } from '#components/primitives/scroll-box.tsx'
import { Unknown, UpstreamText } from '#components/text/upstream-text.tsx'
import type { InvoiceDetail } from '#lib/ledger/model.ts'
import { formatNumber } from '#lib/reconcile/format.ts'
import type { DecimalText } from '#lib/reconcile/money.ts'

/** The invoice's own tax summary, per regime and rate. */
export function TaxesSummary({ invoice }: { invoice: InvoiceDetail }) {
  if (invoice.taxesSummary.length === 0)
    return <p className="text-[13px] text-ink3">The invoice states no summary of taxes.</p>
  const amount = (value: DecimalText | null) =>
    value === null ? <Unknown label="not provided" /> : <Amount amount={value} currency={invoice.currency} />
  let line = 0
  return (
    <ScrollBox label="Taxes of the invoice" className="overflow-x-auto">
      <table className="w-full border-separate border-spacing-0 text-[13px] tabular-nums [&_tr>*:first-child]:pl-0 [&_tr>*:last-child]:pr-0">
        <thead>
          <tr>
            {['Regime', 'Rate', 'Subtotal', 'Tax', 'Total'].map((name, index) => (
              <th key={name} scope="col" className={`cell-head static ${index === 0 ? '' : 'text-right'}`}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {invoice.taxesSummary.map((row) => {
            line += 1
            return (
              <tr key={line}>
                <td className="cell">
                  <UpstreamText text={row.taxRegime} />
                </td>
                <td className="cell text-right">
                  {row.taxPercentage === null ? <Unknown /> : `${formatNumber(row.taxPercentage)} %`}
                </td>
                <td className="cell text-right">{amount(row.subtotal)}</td>
                <td className="cell text-right">{amount(row.taxAmount)}</td>
                <td className="cell text-right">{amount(row.total)}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </ScrollBox>
  )
}
