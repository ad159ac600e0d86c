import { plural } from '#components/text/plural.ts'
import type { InvoiceCheck } from '#lib/ledger/model.ts'
import { formatAmount } from '#lib/reconcile/format.ts'
import type { DecimalText } from '#lib/reconcile/money.ts'
import { INVOICE_FINDING_LABELS } from '#lib/reconcile/reasons/tie-out-words.ts'
import { LINE_STATES, type State, type StateCounts, stateOf, stateOfInvoiceFinding } from '#lib/reconcile/verdict.ts'

/** An invoice's own verdict, beside that of its lines. */
export function describeInvoice(check: InvoiceCheck, currency: string): { state: State; text: string } {
  const state = stateOf({ invoice: check })
  return { state, text: toInvoiceText(state, check, currency) }
}

function toInvoiceText(state: State, check: InvoiceCheck, currency: string): string {
  const signed = (amount: DecimalText) => formatAmount(amount, currency, { sign: 'always' })
  const [worst] = check.findings.filter(({ code }) => stateOfInvoiceFinding(code) === state)
  switch (state) {
    case 'removed':
      return 'removed by the platform'
    case 'unexplained':
      if (worst?.code === 'total') return `${signed(check.unexplained)} unexplained`
      if (worst?.code === 'lines_missing')
        return check.linesMissing === 0 ? 'no lines received' : `${plural(check.linesMissing, 'line')} missing`
      return worst === undefined ? 'unexplained' : INVOICE_FINDING_LABELS[worst.code].toLowerCase()
    case 'explained':
      return `ties out, ${signed(check.explained)} explained`
    case 'not_imported': {
      const stated = check.notImported === null ? '' : `, ${formatAmount(check.notImported, currency)}`
      return `${plural(check.rejectedLineCount, 'line')} not imported${stated}`
    }
    case 'note':
      return toNoteText(check, signed)
    case 'ties_out':
      return 'ties out'
  }
}

/** What nothing explains is never called tied out, also where the organization only notes it. */
function toNoteText(check: InvoiceCheck, signed: (amount: DecimalText) => string): string {
  const isOpen = /[1-9]/.test(check.unexplained)
  if (check.verdict === 'not_provided') return 'nothing stated to compare'
  if (isOpen) return `${signed(check.unexplained)}, only noted`
  return `ties out, ${plural(check.findings.length + check.notes.length, 'note')}`
}

/** How many lines have findings, by their states. */
export function countLines(lineStates: StateCounts): number {
  return LINE_STATES.reduce((count, state) => count + (lineStates[state] ?? 0), 0)
}

/** `2 findings on 1 line`: findings and lines are counted apart. */
export function describeFindings(findingCount: number, lineStates: StateCounts): string {
  return `${plural(findingCount, 'finding')} on ${plural(countLines(lineStates), 'line')}`
}
