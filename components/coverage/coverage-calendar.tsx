import { Link } from '#components/query/link.client.tsx'
import { plural } from '#components/text/plural.ts'
import type { ConnectionId } from '#lib/ids.ts'
import type { CoverageCell, CoverageProfile } from '#lib/ledger/model.ts'
import { formatCount } from '#lib/reconcile/format.ts'
import { toInvoicesAddress } from './coverage-addresses.ts'
import { CELL_LOOKS } from './coverage-looks.ts'
import { describeCell, toMonthInitial, toMonthName } from './coverage-words.ts'

type CoverageCalendarProps = {
  connectionId: ConnectionId
  profile: CoverageProfile
  /**
   * Rows count across all calendars of the page, so arrow keys move from one calendar to the next.
   */
  firstRow: number
}

const COLUMNS = Array.from({ length: 12 }, (_, index) => String(index + 1).padStart(2, '0'))

/** One profile's months, a row per year, latest first: a real table, drawn as shapes. */
export function CoverageCalendar({ connectionId, profile, firstRow }: CoverageCalendarProps) {
  const years = listYears(profile)
  const sum = (of: (cell: CoverageCell) => number) => profile.cells.reduce((all, cell) => all + of(cell), 0)
  const byMonth = new Map(profile.cells.map((cell) => [cell.month, cell]))
  const latest = profile.cells.findLast(({ invoiceCount }) => invoiceCount > 0)?.month
  const name = profile.name ?? profile.id ?? 'Invoices without a profile'
  return (
    <section aria-label={name} className="min-w-0">
      <h2 className="flex items-baseline gap-2 text-[13px]">
        <bdi className="truncate font-medium">{name}</bdi>
        {profile.currency && <span className="text-[12px] text-ink3">{profile.currency}</span>}
        <span className="ml-auto shrink-0 text-[12px] text-ink3 tabular-nums">
          {plural(
            sum((cell) => cell.invoiceCount),
            'invoice',
          )}{' '}
          ·{' '}
          {plural(
            sum((cell) => cell.lineCount),
            'line',
          )}
        </span>
      </h2>
      <table className="mt-1 w-full table-fixed border-separate border-spacing-[3px] text-[12px] tabular-nums">
        <caption className="sr-only">Months of {name}, by the day of issue</caption>
        <thead>
          <tr>
            <th scope="col" className="w-9 text-left font-normal text-ink3">
              <span className="sr-only">Year</span>
            </th>
            {COLUMNS.map((number) => (
              <th
                key={number}
                scope="col"
                className="font-normal text-ink3"
                abbr={toMonthName(`2000-${number}`).split(' ')[0]}
              >
                {toMonthInitial(`2000-${number}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {years.map((year, index) => (
            <tr key={year}>
              <th scope="row" className="text-left font-normal text-ink3">
                {year}
              </th>
              {COLUMNS.map((number, column) => {
                const cell = byMonth.get(`${year}-${number}`)
                return (
                  <td key={number} className="h-[26px] p-0">
                    {cell && (
                      <Cell
                        cell={cell}
                        href={toInvoicesAddress({ connectionId, profileId: profile.id, month: cell.month })}
                        row={firstRow + index}
                        column={column}
                        isStop={cell.month === latest}
                      />
                    )}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

export function listYears(profile: CoverageProfile): string[] {
  return [...new Set(profile.cells.map(({ month }) => month.slice(0, 4)))].reverse()
}

type CellProps = { cell: CoverageCell; href: string; row: number; column: number; isStop: boolean }

function Cell({ cell, href, row, column, isStop }: CellProps) {
  const text = `${toMonthName(cell.month)}: ${describeCell(cell)}`
  const look = `flex h-full w-full items-center justify-center overflow-hidden rounded-[4px] ${CELL_LOOKS[cell.state]}`
  if (cell.invoiceCount === 0)
    return (
      <span className={look} title={text}>
        <span className="sr-only">{describeCell(cell)}</span>
      </span>
    )
  return (
    <Link
      href={href}
      title={text}
      data-row={row}
      data-column={column}
      tabIndex={isStop ? 0 : -1}
      className={`${look} text-ink hover:brightness-95 dark:hover:brightness-110`}
    >
      <span aria-hidden className="max-md:hidden">
        <span className={cell.state === 'behind' ? 'rounded-[3px] bg-bg px-1 text-warn' : undefined}>
          {formatCount(cell.lineCount)}
        </span>
      </span>
      <span className="sr-only">{describeCell(cell)}</span>
    </Link>
  )
}
