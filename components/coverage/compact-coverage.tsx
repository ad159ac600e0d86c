import { Link } from '#components/query/link.client.tsx'
import type { CoverageCell, CompactCoverage as Rows } from '#lib/ledger/model.ts'
import { toInvoicesAddress } from './coverage-addresses.ts'
import { CoverageLegend } from './coverage-legend.tsx'
import { CELL_LOOKS } from './coverage-looks.ts'
import { describeCell, toMonthInitial, toMonthName } from './coverage-words.ts'

type CompactCoverageProps = { rows: Rows[]; names: Record<string, string> }

/**
 * The last months of every account at a glance; its name links to its calendar. The months have a
 * row of their own, in which each is large enough to be hit (WCAG 2.2, 2.5.8).
 */
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
            {first.cells.map(({ month }) => (
              <th key={month} scope="col" className="font-normal text-ink3" title={toMonthName(month)}>
                <span aria-hidden>{toMonthInitial(month)}</span>
                <span className="sr-only">{toMonthName(month)}</span>
              </th>
            ))}
          </tr>
        </thead>
        {rows.map(({ connectionId, cells }) => (
          <tbody key={connectionId}>
            <tr>
              <th scope="rowgroup" colSpan={cells.length} className="h-6 max-w-0 truncate text-left font-normal">
                <Link
                  href={`/connections/${connectionId}/coverage`}
                  title={names[connectionId]}
                  className="inline-block max-w-full truncate py-0.5 align-middle hover:underline"
                >
                  <bdi>{names[connectionId] ?? 'Account'}</bdi>
                </Link>
              </th>
            </tr>
            <tr>
              {cells.map((cell) => (
                <td key={cell.month} className="h-6 p-0">
                  <Cell cell={cell} href={toInvoicesAddress({ connectionId, month: cell.month })} />
                </td>
              ))}
            </tr>
          </tbody>
        ))}
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
