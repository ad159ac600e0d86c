import { RouterLinks } from '#components/query/router-links.client.tsx'
import { VerdictMark } from '#components/verdict/verdict-text.tsx'
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
  const verdicts = [...new Set(rows.flatMap(({ cells }) => cells.map(({ verdict }) => verdict)))]
  return (
    <section aria-labelledby="coverage">
      <h2 id="coverage" className="font-semibold text-[14px]">
        Coverage
      </h2>
      <RouterLinks>
        <table className="months">
          <caption className="sr-only">The last months of every account, by the day of issue</caption>
          <thead>
            <tr>
              {first.cells.map(({ month }) => (
                <th key={month} scope="col" abbr={toMonthName(month)} title={toMonthName(month)}>
                  {toMonthInitial(month)}
                </th>
              ))}
            </tr>
          </thead>
          {rows.map(({ connectionId, cells }) => (
            <tbody key={connectionId}>
              <tr>
                <th scope="rowgroup" colSpan={cells.length}>
                  <a href={`/connections/${connectionId}/coverage`} title={names[connectionId]}>
                    <bdi>{names[connectionId] ?? 'Account'}</bdi>
                  </a>
                </th>
              </tr>
              <tr>
                {cells.map((cell) => (
                  <Cell key={cell.month} cell={cell} href={toInvoicesAddress({ connectionId, month: cell.month })} />
                ))}
              </tr>
            </tbody>
          ))}
        </table>
      </RouterLinks>
      <div className="mt-2">
        <CoverageLegend states={states} verdicts={verdicts} />
      </div>
    </section>
  )
}

/** Its facts are the hint, and so the name of a link that has no text. */
function Cell({ cell, href }: { cell: CoverageCell; href: string }) {
  const facts = describeCell(cell)
  const title = `${toMonthName(cell.month)}: ${facts}`
  if (cell.invoiceCount === 0)
    return (
      <td className={CELL_LOOKS[cell.state]} title={title}>
        <span className="sr-only">{facts}</span>
      </td>
    )
  return (
    <td className={CELL_LOOKS[cell.state]}>
      {/* the hint is its name */}
      <a href={href} title={title} aria-label={title}>
        <VerdictMark state={cell.verdict} />
      </a>
    </td>
  )
}
