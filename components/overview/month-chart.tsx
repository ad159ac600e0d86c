import { ShortAmount } from '#components/figures/short-amount.tsx'
import { chipClass } from '#components/primitives/chip.ts'
import { Link } from '#components/query/link.client.tsx'
import { toListAddress } from '#components/query/list-address.ts'
import { ListLink } from '#components/query/navigate.client.tsx'
import type { MonthTotal } from '#lib/ledger/model.ts'
import { DEFAULT_LINE_QUERY } from '#lib/ledger/query/line-query.ts'
import { formatAmount } from '#lib/reconcile/format.ts'
import { roundHalfAwayFromZero } from '#lib/reconcile/money.ts'
import { type MonthColumn, type Series, toMonthChart } from './month-chart-data.ts'
import { type OverviewView, toOverviewAddress } from './overview-view.ts'

type MonthChartProps = { months: MonthTotal[]; currencies: string[]; currency: string; view: OverviewView }

const MOST_MONTHS = 12

/** One currency's net amounts by month of expense and vertical: as bars, and as a table of them. */
export function MonthChart({ months, currencies, currency, view }: MonthChartProps) {
  const { series, columns, zeroPercent } = toMonthChart(months, currency, MOST_MONTHS)
  const colorOf = (each: Series) => `var(--bar${series.indexOf(each) + 1})`
  const toLines = ({ from, to }: MonthColumn, of?: Series) =>
    toListAddress({
      list: 'lines',
      query: {
        ...DEFAULT_LINE_QUERY,
        currencies: [currency],
        from,
        to,
        ...(of && { verticals: of.verticals.map((vertical) => vertical ?? '') }),
      },
    })
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
        {columns.some(({ hasCredits }) => hasCredits) && (
          <p className="ml-auto text-[12px] text-ink3" aria-hidden>
            Credits are below the line; the mark is the net.
          </p>
        )}
      </div>
      <div className="month-bars" aria-hidden>
        <hr style={{ bottom: `${zeroPercent}%` }} />
        {columns.map((column) => (
          <div key={column.month}>
            {column.parts.map(({ series: of, amount, bottomPercent, heightPercent }) => (
              <Link
                key={of.label}
                href={toLines(column, of)}
                tabIndex={-1}
                title={`${column.label} · ${of.label} · ${currency} ${formatAmount(amount, currency)}`}
                style={{ bottom: `${bottomPercent}%`, height: `${heightPercent}%`, background: colorOf(of) }}
              />
            ))}
            {column.hasCredits && <i style={{ bottom: `${column.netPercent}%` }} />}
            <span style={{ bottom: `${column.topPercent}%` }}>{toWholeUnits(column, currency)}</span>
          </div>
        ))}
      </div>
      <div className="month-names" aria-hidden>
        {columns.map((column) => (
          <Link key={column.month} href={toLines(column)} tabIndex={-1}>
            {column.label.slice(0, 3)}
            <span>{column.label.slice(3)}</span>
          </Link>
        ))}
      </div>
      <table className="month-table">
        <caption className="sr-only">Net amounts in {currency} by month of expense and vertical</caption>
        <thead>
          <tr>
            <th scope="col">Month</th>
            {series.map((each) => (
              <th key={each.label} scope="col">
                <i style={{ background: colorOf(each) }} />
                <bdi>{each.label}</bdi>
              </th>
            ))}
            <th scope="col">Net</th>
          </tr>
        </thead>
        <tbody>
          {columns.map((column) => (
            <tr key={column.month}>
              <th scope="row">{column.label}</th>
              {series.map((each) => {
                const part = column.parts.find((candidate) => candidate.series === each)
                return <td key={each.label}>{part && <ShortAmount amount={part.amount} currency={currency} />}</td>
              })}
              <td>
                <Link href={toLines(column)}>
                  <ShortAmount amount={column.net} currency={currency} />
                </Link>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** Short enough to stand above a bar; the table has every digit. */
function toWholeUnits({ net }: MonthColumn, currency: string): string {
  return formatAmount(roundHalfAwayFromZero(net, 0), currency).replace(/\.0+$/, '')
}
