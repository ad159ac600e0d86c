/**
 * What people decide about an invoice's own findings: what they see of it, and when that is another
 * one (docs/decisions/058-decisions.md). Pure.
 */
import type { InvoiceFinding } from '../invoice-finding.ts'
import { LINE_COMPARISON_CODES } from '../invoice-finding.ts'
import { type DecimalText, toPlainDecimal } from '../money.ts'
import type { InvoiceTieOut, SetAside } from '../tie-out.ts'
import type { FallCause, ReviewChoice, ReviewState } from './review-state.ts'

/** A tie-out and what is wrong with it. Amounts are in `currency`, without ending zeros. */
export type SeenInvoice = {
  isGone: boolean
  currency: string
  total: DecimalText
  lines: DecimalText
  creditUsed: DecimalText | null
  comesTo: DecimalText
  /** Of total - comesTo, what nothing explains. */
  unexplained: DecimalText
  lineCount: number
  statedLineCount: number | null
  notImported: SetAside
  removed: SetAside
  findings: InvoiceFinding[]
  notes: InvoiceFinding[]
}

type Proof = {
  isGone: boolean
  currency: string
  tieOut: InvoiceTieOut
  completeness: { count: { stated: number | null; held: number } }
  findings: readonly InvoiceFinding[]
  notes: readonly InvoiceFinding[]
}

/** All of a proof that a decision about the invoice depends on. */
export function toSeenInvoice({ isGone, currency, tieOut, completeness, findings, notes }: Proof): SeenInvoice {
  const { total, lines, creditUsed, comesTo, unexplained, notImported, removed } = tieOut
  return {
    isGone,
    currency,
    total: toPlainDecimal(total),
    lines: toPlainDecimal(lines),
    creditUsed: creditUsed && toPlainDecimal(creditUsed),
    comesTo: toPlainDecimal(comesTo),
    unexplained: toPlainDecimal(unexplained),
    lineCount: completeness.count.held,
    statedLineCount: completeness.count.stated,
    notImported: toPlainAside(notImported),
    removed: toPlainAside(removed),
    findings: findings.map(toPlainFinding),
    notes: notes.map(toPlainFinding),
  }
}

function toPlainAside({ lineCount, amount, unknownCount }: SetAside): SetAside {
  return { lineCount, amount: toPlainDecimal(amount), unknownCount }
}

function toPlainFinding({ code, amount }: InvoiceFinding): InvoiceFinding {
  return { code, amount: amount && toPlainDecimal(amount) }
}

/** The same text for the same invoice, in whatever order its parts come from a database. */
export function writeSeen(seen: SeenInvoice): string {
  const { findings, notes, ...figures } = seen
  return `${writeFigures(figures)} ${writeFindings(findings)} ${writeFindings(notes)}`
}

type Figures = Omit<SeenInvoice, 'findings' | 'notes'>

function writeFigures(seen: Figures): string {
  const { isGone, currency, total, lines, creditUsed, comesTo, unexplained, lineCount, statedLineCount } = seen
  const asides = [seen.notImported, seen.removed].map((aside) => [aside.lineCount, aside.amount, aside.unknownCount])
  const figures = [isGone, currency, total, lines, creditUsed, comesTo, unexplained, lineCount, statedLineCount]
  return JSON.stringify([...figures, ...asides])
}

function writeFindings(findings: readonly InvoiceFinding[]): string {
  return JSON.stringify(findings.map(({ code, amount }) => [code, amount]))
}

/** Where an invoice stands; `previous` and `cause`: of one that is suspended. */
export type InvoiceStand = {
  state: ReviewChoice
  previous: ReviewState | null
  cause: FallCause | null
}

/** A decision about an invoice that nobody has taken back, and what was seen of it. */
export type DecidedInvoice = { state: Extract<ReviewState, 'accepted' | 'disputed'>; seen: SeenInvoice }

/**
 * Where the invoice stands now. A decision holds as long as the invoice is what was seen: it falls
 * and comes back by itself, and nothing has to be written for that.
 */
export function standOfInvoice(decided: DecidedInvoice | null, now: SeenInvoice): InvoiceStand {
  if (decided === null) return { state: 'open', previous: null, cause: null }
  const cause = toCause(decided.seen, now)
  if (cause === null) return { state: decided.state, previous: null, cause }
  return { state: 'suspended', previous: decided.state, cause }
}

const COMPARED: readonly string[] = LINE_COMPARISON_CODES

/** Why what was seen is no longer so; null if it is. */
function toCause(seen: SeenInvoice, now: SeenInvoice): FallCause | null {
  if (writeSeen(seen) === writeSeen(now)) return null
  if (seen.isGone !== now.isGone) return now.isGone ? 'gone' : 'back'
  if (writeFigures(seen) !== writeFigures(now)) return 'changed'
  const without = ({ findings, notes }: SeenInvoice) =>
    [findings, notes].map((all) => writeFindings(all.filter(({ code }) => !COMPARED.includes(code)))).join()
  return without(seen) === without(now) ? 'compared' : 'proof'
}

/** Whether there is anything to decide about it: a finding of its own, or a decision. */
export function isReviewed(stand: InvoiceStand, seen: Pick<SeenInvoice, 'findings' | 'isGone'>): boolean {
  return stand.state !== 'open' || hasToDecide(seen)
}

/** Whether anything is wrong with it. One that is gone is in no total. */
export function hasToDecide({ findings, isGone }: Pick<SeenInvoice, 'findings' | 'isGone'>): boolean {
  return findings.length > 0 && !isGone
}
