import { chipClass } from '#components/primitives/chip.ts'
import { ListLink } from '#components/query/navigate.client.tsx'
import type { MonthTotal } from '#lib/ledger/model.ts'
import type { LedgerScope } from '#lib/ledger/query/ledger-scope.ts'
import { toMonthChart } from './month-chart-data.ts'
import { MonthFigures } from './month-figures.client.tsx'
import { packMonthChart } from './pack-month-chart.ts'

type MonthChartProps = {
  months: MonthTotal[]
  monthsOf: 'expense' | 'issue'
  /** Whether the sums are told apart by vertical. */
  isSplit: boolean
  currencies: string[]
  currency: string
  scope: LedgerScope
  /** The scope's days in words; null for all time. */
  time: string | null
  /** The same page with the chart of another currency. */
  toHref: (currency: string) => string
}

const MOST_MONTHS = 12

/**
 * One currency's net amounts of the scope by month and vertical: as bars, and as a table of them
 * whose total is that of the scope's lines.
 */
export function MonthChart({ months, monthsOf, isSplit, ...rest }: MonthChartProps) {
  const { currencies, currency, scope, time, toHref } = rest
  const data = toMonthChart(months, currency, MOST_MONTHS, isSplit)
  return (
    <section aria-labelledby="by-month" className="mt-6">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h2 id="by-month" className="font-semibold text-[14px]">
          {currency} net by month of {monthsOf}
        </h2>
        {currencies.length > 1 && (
          <nav aria-label="Currency of the chart" className="flex flex-wrap gap-1.5">
            {currencies.map((code) => (
              <ListLink
                key={code}
                href={toHref(code)}
                aria-current={code === currency ? 'true' : undefined}
                className={chipClass({ look: code === currency ? 'on' : 'plain' })}
              >
                {code}
              </ListLink>
            ))}
          </nav>
        )}
        {time !== null && (
          <p className="text-[12px] text-ink3">
            {scope.dateField === 'issued' ? 'issued' : 'expenses'} {time}
          </p>
        )}
        {data.columns.some(({ hasCredits }) => hasCredits) && (
          <p className="ml-auto text-[12px] text-ink3" aria-hidden>
            Credits are below the line; the mark is the net.
          </p>
        )}
      </div>
      <MonthFigures chart={packMonthChart(data, currency, { scope, monthsOf, isSplit })} />
    </section>
  )
}
