import { Link } from '#components/query/link.client.tsx'
import type { CoverageCell, CompactCoverage as Rows } from '#lib/ledger/model.ts'
import { toInvoicesAddress } from './coverage-addresses.ts'
import { CoverageLegend } from './coverage-legend.tsx'
import { CELL_LOOKS } from './coverage-looks.ts'
import { describeCell, toMonthInitial, toMonthName } from './coverage-words.ts'

type CompactCoverageProps = { rows: Rows[]; names: Record<string, string> }

/** The last months of every account at a glance. The account's name links to its calendar. */
export function CompactCoverage({ rows, names }: CompactCoverageProps) {
  const [first] = rows
  if (first === undefined) return null
  const states = [...new Set(rows.flatMap(({ cells }) => cells.map(({ state }) => state)))]
  return (
    <section aria-labelledby="coverage">
      <h2 id="coverage" className="font-semibold text-[14px]">
        Coverage
      </h2>
      <table className="-mx-[2px] mt-1 w-full table-fixed border-separate border-spacing-[2px] text-[12px]">
        <caption className="sr-only">The last months of every account, by the day of issue</caption>
        <thead>
          <tr>
            <th scope="col" className="w-[112px]">
              <span className="sr-only">Account</span>
            </th>
            {first.cells.map(({ month }) => (
              <th key={month} scope="col" className="font-normal text-ink3" title={toMonthName(month)}>
                <span aria-hidden>{toMonthInitial(month)}</span>
                <span className="sr-only">{toMonthName(month)}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ connectionId, cells }) => (
            <tr key={connectionId}>
              <th scope="row" className="truncate text-left font-normal">
                <Link
                  href={`/connections/${connectionId}/coverage`}
                  title={names[connectionId]}
                  className="hover:underline"
                >
                  <bdi>{names[connectionId] ?? 'Account'}</bdi>
                </Link>
              </th>
              {cells.map((cell) => (
                <td key={cell.month} className="h-[18px] p-0">
                  <Cell cell={cell} href={toInvoicesAddress({ connectionId, month: cell.month })} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <div className="mt-2">
        <CoverageLegend states={states} />
      </div>
    </section>
  )
}

function Cell({ cell, href }: { cell: CoverageCell; href: string }) {
  const look = `block h-full w-full rounded-[3px] ${CELL_LOOKS[cell.state]}`
  const title = `${toMonthName(cell.month)}: ${describeCell(cell)}`
  if (cell.invoiceCount === 0)
    return (
      <span className={look} title={title}>
        <span className="sr-only">{describeCell(cell)}</span>
      </span>
    )
  return (
    <Link href={href} className={look} title={title}>
      <span className="sr-only">{describeCell(cell)}</span>
    </Link>
  )
}
