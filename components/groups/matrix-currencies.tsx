import { ListLink } from '#components/query/navigate.client.tsx'
import { plural } from '#components/text/plural.ts'
import type { Matrix } from '#lib/ledger/model.ts'
import type { Measure } from '#lib/reconcile/matrix/measures.ts'
import { MatrixFigure } from './matrix-figure.tsx'
import { toCurrencyAddress } from './matrix-table.ts'

type MatrixCurrenciesProps = { matrix: Matrix; measure: Measure; search: string }

/** The currencies of the lines. One at a time is shown: no sum spans two. */
export function MatrixCurrencies({ matrix, measure, search }: MatrixCurrenciesProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
    <section aria-label="Currencies" tabIndex={0} className="list-body strip">
      {matrix.currencies.map(({ currency, amount, lineCount }) => (
        <ListLink
          key={currency}
          href={toCurrencyAddress(search, currency)}
          aria-current={currency === matrix.currency ? 'true' : undefined}
          className="strip-total matrix-currency"
        >
          <span className="strip-scope">
            {currency} · {plural(lineCount, 'line')}
          </span>
          <span className="strip-amount">
            <MatrixFigure amount={amount} currency={currency} measure={measure} />
          </span>
        </ListLink>
      ))}
    </section>
  )
}
