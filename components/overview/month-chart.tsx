import { chipClass } from '#components/primitives/chip.ts'
import { Link } from '#components/query/link.client.tsx'
import { toListAddress } from '#components/query/list-address.ts'
import { ListLink } from '#components/query/navigate.client.tsx'
import type { MonthTotal } from '#lib/ledger/model.ts'
import { DEFAULT_LINE_QUERY } from '#lib/ledger/query/line-query.ts'
import { formatAmount } from '#lib/reconcile/format.ts'
import { listVerticals, type MonthColumn, toMonthColumns } from './month-chart-data.ts'

type MonthChartProps = { months: MonthTotal[]; currencies: string[]; currency: string }

const MOST_MONTHS = 12
const COLORS = ['var(--bar1)', 'var(--bar2)', 'var(--bar3)', 'var(--bar4)', 'var(--bar5)', 'var(--bar6)', 'var(--bar7)']

/** One currency's amounts by month and vertical, as bars and as a table for screen readers. */
export function MonthChart({ months, currencies, currency }: MonthChartProps) {
  const columns = toMonthColumns(months, currency, MOST_MONTHS)
  const verticals = listVerticals(columns)
  const colorOf = (vertical: string | null) => COLORS[Math.min(verticals.indexOf(vertical), COLORS.length - 1)]
  const toLines = (column: MonthColumn, vertical?: string | null) =>
    toListAddress({
      list: 'lines',
      query: {
        ...DEFAULT_LINE_QUERY,
        currencies: [currency],
        from: column.from,
        to: column.to,
        ...(vertical === undefined ? {} : { verticals: [vertical ?? ''] }),
      },
    })
  return (
    <section aria-labelledby="by-month" className="mt-6">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h2 id="by-month" className="font-semibold text-[14px]">
          {currency} by month and vertical
        </h2>
        {currencies.length > 1 && (
          <nav aria-label="Currency of the chart" className="flex flex-wrap gap-1.5">
            {currencies.map((code) => (
              <ListLink
                key={code}
                href={`/?currency=${code}`}
                aria-current={code === currency ? 'true' : undefined}
                className={chipClass({ look: code === currency ? 'on' : 'plain' })}
              >
                {code}
              </ListLink>
            ))}
          </nav>
        )}
        <ul aria-hidden className="flex flex-wrap gap-x-3 text-[12px] text-ink2 md:ml-auto">
          {verticals.map((vertical) => (
            <li key={vertical ?? ''} className="flex min-w-0 max-w-32 items-center gap-1.5">
              <span className="size-2 shrink-0 rounded-[2px]" style={{ background: colorOf(vertical) }} />
              <bdi className="truncate">{vertical ?? 'unknown'}</bdi>
            </li>
          ))}
        </ul>
      </div>
      <div className="list-body mt-3 flex h-[150px] items-end gap-2.5 max-md:gap-1" aria-hidden>
        {columns.map((column) => (
          <div key={column.month} className="flex h-full min-w-0 max-w-28 flex-1 flex-col-reverse gap-0.5">
            {verticals.map((vertical) => {
              const segment = column.segments.find((candidate) => candidate.vertical === vertical)
              if (!segment || segment.heightPercent === 0) return null
              return (
                <Link
                  key={vertical ?? ''}
                  href={toLines(column, vertical)}
                  tabIndex={-1}
                  title={`${column.label} · ${vertical ?? 'unknown vertical'} · ${currency} ${formatAmount(segment.amount, currency)}`}
                  className="block min-h-px rounded-[2px] hover:opacity-75"
                  style={{ height: `${segment.heightPercent}%`, background: colorOf(vertical) }}
                />
              )
            })}
          </div>
        ))}
      </div>
      <div className="mt-1 flex gap-2.5 max-md:gap-1">
        {columns.map((column) => (
          <Link
            key={column.month}
            href={toLines(column)}
            className="min-w-0 max-w-28 flex-1 truncate text-center text-[11.5px] text-ink3 hover:text-ink hover:underline"
            title={`Lines of ${column.label} in ${currency}`}
          >
            {column.label.slice(0, 3)}
            <span className="max-md:sr-only">{column.label.slice(3)}</span>
          </Link>
        ))}
      </div>
      {/* a table itself does not shrink to nothing */}
      <div className="sr-only">
        <table>
          <caption>Amounts in {currency} by month and vertical</caption>
          <thead>
            <tr>
              <th scope="col">Month</th>
              {verticals.map((vertical) => (
                <th key={vertical ?? ''} scope="col">
                  {vertical ?? 'unknown vertical'}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {columns.map((column) => (
              <tr key={column.month}>
                <th scope="row">{column.label}</th>
                {verticals.map((vertical) => {
                  const segment = column.segments.find((candidate) => candidate.vertical === vertical)
                  return <td key={vertical ?? ''}>{segment ? formatAmount(segment.amount, currency) : ''}</td>
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}
