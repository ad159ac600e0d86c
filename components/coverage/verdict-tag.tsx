import { Mark } from '#components/primitives/mark.tsx'
import type { InvoiceCheck } from '#lib/ledger/model.ts'
import { VERDICT_LABELS } from './verdict-labels.ts'
import { toVerdictText } from './verdict-words.ts'

/** An invoice's completeness verdict in a table cell. */
export function VerdictTag({ check, currency }: { check: InvoiceCheck; currency: string }) {
  const { mark, text, tone } = toVerdictText(check, currency)
  return (
    <span className={`flex min-w-0 items-center gap-1.5 ${tone}`} title={VERDICT_LABELS[check.verdict]}>
      {mark && <Mark kind={mark} />}
      <span className="truncate">{text}</span>
    </span>
  )
}
