import { plural } from '#components/text/plural.ts'
import { formatCount } from '#lib/reconcile/format.ts'
import { type StateCounts, stateOf } from '#lib/reconcile/verdict.ts'
import { VerdictText } from './verdict-text.tsx'
import { countLines, describeFindings } from './verdict-words.ts'

type LineFindingsProps = { findingCount: number; lineStates: StateCounts }

/**
 * The worst state of many lines, and how many findings are on how many of them, in a table's cell.
 */
export function LineFindings({ findingCount, lineStates }: LineFindingsProps) {
  if (findingCount === 0) return null
  const words = describeFindings(findingCount, lineStates)
  return (
    <span title={words}>
      <VerdictText state={stateOf({ parts: lineStates })} label={words}>
        {formatCount(findingCount)} <span className="max-md:sr-only">on {plural(countLines(lineStates), 'line')}</span>
      </VerdictText>
    </span>
  )
}
