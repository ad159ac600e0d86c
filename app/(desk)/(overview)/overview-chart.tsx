import { MonthChart } from '#components/overview/month-chart.tsx'
import { describeTime, type OverviewView } from '#components/overview/overview-view.ts'
import { toAddress } from '#components/query/address.ts'
import { toSearch } from '#components/scope/scope.ts'
import type { Overview } from '#lib/ledger/model.ts'
import type { RawSearchParams } from '#lib/ledger/query/search-params.ts'

type OverviewChartProps = { view: OverviewView; overview: Overview; searchParams: RawSearchParams }

/** The months of the chosen currency, else of the one with the most lines, which matters most. */
export function OverviewChart({ view, overview, searchParams }: OverviewChartProps) {
  const currencies = overview.currencies.map((total) => total.currency)
  const main = [...overview.currencies].sort((a, b) => b.lineCount - a.lineCount)[0]?.currency
  const currency = currencies.find((each) => each === view.chart) ?? main
  if (currency === undefined) return null
  return (
    <MonthChart
      {...overview}
      currencies={currencies}
      currency={currency}
      scope={view.scope}
      time={describeTime(view)}
      toHref={(code) => {
        const params = toSearch(searchParams)
        params.set('chart', code)
        return toAddress('/', params.toString())
      }}
    />
  )
}
