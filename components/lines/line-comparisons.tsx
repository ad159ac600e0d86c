import { VerdictText } from '#components/verdict/verdict-text.tsx'
import type { LineDetail } from '#lib/ledger/model.ts'
import { stateOfInvoiceFinding } from '#lib/reconcile/verdict.ts'
import { ComparisonText } from './comparison-text.tsx'

/** What a line is beside other lines of its account: findings of its invoice. */
export function LineComparisons({ line }: { line: LineDetail }) {
  if (line.comparisons.length === 0) return null
  return (
    <ul aria-label="Compared with other lines" className="mt-2 flex flex-col gap-1 rounded-lg border bg-bg px-3 py-2">
      {line.comparisons.map((comparison) => (
        <li key={comparison.code}>
          <VerdictText state={stateOfInvoiceFinding(comparison.code)}>
            <ComparisonText comparison={comparison} connectionId={line.connectionId} />
          </VerdictText>
        </li>
      ))}
    </ul>
  )
}
