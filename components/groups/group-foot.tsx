import { ShortAmount } from '#components/figures/short-amount.tsx'
import { GRID } from '#components/primitives/grid-roles.ts'
import { plural } from '#components/text/plural.ts'
import { LineFindings } from '#components/verdict/line-findings.tsx'
import type { GroupList } from '#lib/ledger/model.ts'
import { formatCount } from '#lib/reconcile/format.ts'
import type { GroupKey } from '#lib/reconcile/group-keys.ts'
import { addCounts } from '#lib/reconcile/verdict.ts'
import { describeSharing, keyPlural } from './group-labels.ts'

/** The totals of all lines that match the filters, never only those of this page. */
export function GroupFoot({ list, by }: { list: GroupList; by: GroupKey[] }) {
  const [one, many] = keyPlural(by[0] ?? 'trip')
  const findingCount = list.totals.reduce((count, total) => count + total.findingCount, 0)
  const lineStates = list.totals.map((total) => total.lineStates).reduce(addCounts, {})
  const scope =
    list.lineCount === list.allLineCount
      ? plural(list.lineCount, 'line')
      : `${formatCount(list.lineCount)} of ${plural(list.allLineCount, 'line')}`
  const sharing = describeSharing(by)
  return (
    <tfoot className="max-md:block">
      <tr {...GRID.row} className="max-md:flex max-md:flex-wrap max-md:gap-x-3 max-md:bg-panel max-md:px-4 max-md:py-2">
        <td {...GRID.cell} className="cell-foot max-md:h-auto max-md:w-full max-md:border-0 max-md:p-0!">
          Total of {plural(list.groupCount, one, many)}, {scope}
          {sharing !== null && <small className="block text-[12px] font-normal text-ink3">{sharing}</small>}
        </td>
        <td {...GRID.cell} className="cell-foot text-right tabular-nums max-md:hidden">
          {formatCount(list.lineCount)}
        </td>
        {list.totals.map((total) => (
          <td
            key={total.currency}
            {...GRID.cell}
            className="cell-foot text-right tabular-nums max-md:h-auto max-md:border-0 max-md:p-0!"
          >
            <ShortAmount amount={total.totalAmount} currency={total.currency} />
            <span className="ml-1 text-[12px] text-ink3 md:sr-only">{total.currency}</span>
          </td>
        ))}
        <td {...GRID.cell} className="cell-foot text-right tabular-nums max-md:hidden">
          <LineFindings findingCount={findingCount} lineStates={lineStates} />
        </td>
      </tr>
    </tfoot>
  )
}
