import { Mark } from '#components/primitives/mark.tsx'
import type { InvoiceCheck } from '#lib/ledger/model.ts'
import { VERDICT_LABELS } from './verdict-labels.ts'
import { toVerdictText } from './verdict-words.ts'

/** An invoice's completeness verdict in a table cell. */
export function VerdictTag({ check, currency }: { check: InvoiceCheck; currency: string }) {
  const { mark, text, tone } = toVerdictText(check, currency)
  // most are complete; what they say is their label
  if (mark === null) return <span className={tone}>{text}</span>
  return (
    <span className={`marked ${tone}`} title={VERDICT_LABELS[check.verdict]}>
      <Mark kind={mark} />
      <span className="text">{text}</span>
    </span>
  )
}
