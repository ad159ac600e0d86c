/**
 * The one verdict of a line, an invoice, a group, a month and a currency
 * (docs/decisions/041-one-verdict.md). Runs in the browser: no decimal library.
 */
import type { Verdict } from './completeness.ts'
import { currencyDigits } from './currency.ts'
import type { Day } from './day.ts'
import type { InvoiceFinding, InvoiceFindingCode } from './invoice-finding.ts'
import type { DecimalText } from './money.ts'

/**
 * Worst first. `unexplained`: money without a reason. `explained`: money whose reason is named.
 * `not_imported`: a term that could not be read. `removed`: no longer on the platform, in no total.
 * `note`: worth knowing, and no money in it. `ties_out`: nothing else is there.
 */
export const STATES = ['unexplained', 'explained', 'not_imported', 'removed', 'note', 'ties_out'] as const
export type State = (typeof STATES)[number]

/** States of lines that fail in something: the platform has them, and they could be read. */
export const LINE_STATES = ['unexplained', 'explained', 'note'] as const satisfies State[]
export type LineState = (typeof LINE_STATES)[number]

/** States of invoices that a list of those on the platform can have. */
export const INVOICE_STATES = STATES.filter((state) => state !== 'removed')

/** How many parts are in each state; what is not named has none. */
export type StateCounts = Readonly<Partial<Record<State, number>>>

/**
 * What a line keeps of its proof. Its remarks, and what rules only note, are no findings. Null:
 * nobody has looked for reasons yet.
 */
export type JudgedLine = {
  currency: string
  difference: DecimalText
  taxDifference: DecimalText
  findingCodes: readonly string[]
  explainedCodes: readonly string[] | null
  reasonCodes: readonly string[] | null
  /** Since when the platform no longer has it, in a list of such lines. */
  removedOn?: Day
}

/**
 * `unexplained` and `explained`: of its difference, whatever the organization's rules say of it.
 */
export type JudgedInvoice = {
  isGone: boolean
  verdict: Verdict
  unexplained: DecimalText
  findings: readonly InvoiceFinding[]
  notes: readonly InvoiceFinding[]
}

/** A line, an invoice by itself, or anything that has parts: a group, a month, a currency. */
export type Judged = { line: JudgedLine } | { invoice: JudgedInvoice } | { parts: StateCounts }

/** The state of anything. A parent's is the worst of its parts'. No other code decides it. */
export function stateOf(judged: Judged): State {
  if ('line' in judged) return stateOfLine(judged.line)
  if ('invoice' in judged) return stateOfInvoice(judged.invoice)
  return STATES.find((state) => (judged.parts[state] ?? 0) > 0) ?? 'ties_out'
}

/** The worst of several states; `ties_out` without any. */
export function worstOf(states: readonly State[]): State {
  return STATES.find((state) => states.includes(state)) ?? 'ties_out'
}

export function addCounts(a: StateCounts, b: StateCounts): StateCounts {
  return Object.fromEntries(STATES.map((state) => [state, (a[state] ?? 0) + (b[state] ?? 0)]).filter(([, n]) => n))
}

/** The line's part that a finding is about. */
export function differenceOf(code: string, { difference, taxDifference }: JudgedLine): DecimalText | null {
  return code === 'tax' ? taxDifference : code === 'total' ? difference : null
}

/**
 * The state of one finding of a line. Less than one minor unit of the currency cannot be paid, and
 * the sign of a credit document takes nothing from anybody: both are notes. A finding of a kind
 * that is not known here is unexplained.
 */
export function stateOfFinding(code: string, line: JudgedLine): LineState {
  const amount = differenceOf(code, line)
  if (amount === null) return 'unexplained'
  if (!isMoney(amount, line.currency)) return 'note'
  if (!line.explainedCodes?.includes(code)) return 'unexplained'
  return line.reasonCodes?.includes('credit_sign') ? 'note' : 'explained'
}

/** SQL says the same of `line_state` (roll-ups.sql), and a test compares the two. */
function stateOfLine(line: JudgedLine): State {
  if (line.removedOn !== undefined) return 'removed'
  return worstOf(line.findingCodes.map((code) => stateOfFinding(code, line)))
}

const FINDING_STATES: Record<InvoiceFindingCode, State> = {
  total: 'unexplained',
  total_explained: 'explained',
  duplicate_line: 'unexplained',
  refund_above_original: 'unexplained',
  refund_without_original: 'unexplained',
  lines_missing: 'unexplained',
  not_imported: 'not_imported',
  other_currency: 'unexplained',
  regime_total: 'unexplained',
  regime_tax: 'unexplained',
  regime_subtotal: 'unexplained',
  credit_sign: 'note',
  due_before_issued: 'note',
}

/** The state of one finding of an invoice. */
export function stateOfInvoiceFinding(code: InvoiceFindingCode): State {
  return FINDING_STATES[code]
}

/**
 * What is gone is in no total, whatever else was wrong with it. What rules only note stays a note.
 */
function stateOfInvoice({ isGone, verdict, unexplained, findings, notes }: JudgedInvoice): State {
  if (isGone) return 'removed'
  if (findings.length > 0) return worstOf(findings.map(({ code }) => stateOfInvoiceFinding(code)))
  return notes.length > 0 || verdict === 'not_provided' || /[1-9]/.test(unexplained) ? 'note' : 'ties_out'
}

/** Whether a difference comes to a minor unit of its currency. Looks at digits alone. */
function isMoney(difference: DecimalText, currency: string): boolean {
  const [whole = '', fraction = ''] = difference.split('.')
  return /[1-9]/.test(whole + fraction.slice(0, currencyDigits(currency)))
}
