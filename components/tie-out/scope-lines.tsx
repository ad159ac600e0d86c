import { Step } from '#components/figures/step.tsx'
import { ScrollBox } from '#components/primitives/scroll-box.tsx'
import { toListAddress } from '#components/query/list-address.ts'
import { plural } from '#components/text/plural.ts'
import type { LineTotal } from '#lib/ledger/model.ts'
import type { LedgerScope } from '#lib/ledger/query/ledger-scope.ts'
import { DEFAULT_LINE_QUERY } from '#lib/ledger/query/line-query.ts'

/** Lines by day of expense, per currency: an invoice has no such day, so nothing is tied out. */
export function ScopeLines({ totals, scope }: { totals: LineTotal[]; scope: LedgerScope }) {
  return (
    <ScrollBox label="Lines by expense" className="tie-out shrink-0 overflow-x-auto border-y bg-panel">
      <table aria-label="Lines by expense" className="w-full border-separate border-spacing-0 text-[13px] tabular-nums">
        <thead>
          <tr>
            <th scope="col">Currency</th>
            <th scope="col">Lines</th>
          </tr>
        </thead>
        <tbody>
          {totals.map(({ currency, lineCount, totalAmount }) => (
            <tr key={currency}>
              <th scope="row">
                <span className="font-semibold">{currency}</span>
              </th>
              <Step
                name="Lines"
                amount={totalAmount}
                currency={currency}
                href={toListAddress({
                  list: 'lines',
                  query: { ...DEFAULT_LINE_QUERY, ...scope, currencies: [currency] },
                })}
                note={plural(lineCount, 'line')}
              />
            </tr>
          ))}
        </tbody>
      </table>
      <p className="px-5 pb-2 text-[12px] text-ink3">Invoices are tied out by day of issue.</p>
    </ScrollBox>
  )
}
