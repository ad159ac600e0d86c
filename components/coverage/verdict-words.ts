import type { MarkKind } from '#components/primitives/mark.tsx'
import { plural } from '#components/text/plural.ts'
import { INVOICE_FINDING_LABELS } from '#components/tie-out/tie-out-words.ts'
import type { InvoiceCheck } from '#lib/ledger/model.ts'
import { formatAmount, formatCount } from '#lib/reconcile/format.ts'

export type VerdictText = { mark: MarkKind | null; text: string; tone: string }

/** A verdict for a table cell. Names what is wrong; a correct one stays quiet. */
export function toVerdictText(check: InvoiceCheck, currency: string): VerdictText {
  switch (check.verdict) {
    case 'complete': {
      const [own] = check.findings
      if (own !== undefined)
        return { mark: 'failed', text: INVOICE_FINDING_LABELS[own.code].toLowerCase(), tone: 'text-bad' }
      return { mark: null, text: 'complete', tone: 'text-ink3' }
    }
    case 'explained':
      return { mark: 'partial', text: `${signed(check, currency)} credit`, tone: 'text-warn' }
    case 'not_provided':
      return { mark: 'open', text: 'not provided', tone: 'text-ink3' }
    case 'lines_missing':
      return {
        mark: 'failed',
        text: check.linesMissing === 0 ? 'no line held' : `${plural(check.linesMissing, 'line')} missing`,
        tone: 'text-bad',
      }
    case 'differs':
      return {
        mark: 'failed',
        text:
          check.rejectedLineCount > 0
            ? `${formatCount(check.rejectedLineCount)} not imported`
            : toDifference(check, currency),
        tone: 'text-bad',
      }
  }
}

/** The total can agree while the taxes or the line count do not. */
function toDifference(check: InvoiceCheck, currency: string): string {
  return /[1-9]/.test(check.difference) ? signed(check, currency) : 'differs inside'
}

function signed(check: InvoiceCheck, currency: string): string {
  return formatAmount(check.difference, currency, { sign: 'always' })
}
