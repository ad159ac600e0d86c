import { chipClass } from '#components/primitives/chip.ts'
import { ListLink } from '#components/query/navigate.client.tsx'
import type { MonthTotal } from '#lib/ledger/model.ts'
import { toMonthChart } from './month-chart-data.ts'
import { MonthFigures } from './month-figures.client.tsx'
import { type OverviewView, toOverviewAddress } from './overview-view.ts'
import { packMonthChart } from './pack-month-chart.ts'

type MonthChartProps = { months: MonthTotal[]; currencies: string[]; currency: string; view: OverviewView }

const MOST_MONTHS = 12

/** One currency's net amounts by month of expense and vertical: as bars, and as a table of them. */
export function MonthChart({ months, currencies, currency, view }: MonthChartProps) {
  const data = toMonthChart(months, currency, MOST_MONTHS)
  return (
    <section aria-labelledby="by-month" className="mt-6">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h2 id="by-month" className="font-semibold text-[14px]">
          {currency} net by month of expense
        </h2>
        {currencies.length > 1 && (
          <nav aria-label="Currency of the chart" className="flex flex-wrap gap-1.5">
            {currencies.map((code) => (
              <ListLink
                key={code}
                href={toOverviewAddress({ ...view, currency: code })}
                aria-current={code === currency ? 'true' : undefined}
                className={chipClass({ look: code === currency ? 'on' : 'plain' })}
              >
                {code}
              </ListLink>
            ))}
          </nav>
        )}
        {data.columns.some(({ hasCredits }) => hasCredits) && (
          <p className="ml-auto text-[12px] text-ink3" aria-hidden>
            Credits are below the line; the mark is the net.
          </p>
        )}
      </div>
      <MonthFigures chart={packMonthChart(data, currency)} />
    </section>
  )
}
