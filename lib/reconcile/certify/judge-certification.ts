/**
 * The one judgment of a certification rule, of what was known at a moment: a replay over the past
 * and a live run both ask here (docs/decisions/066-certification-rules.md).
 */
import type { Completeness } from '../completeness.ts'
import { compareDecimals, type DecimalText, toSize } from '../money.ts'
import { CONDITIONS, type Condition, isOfInvoices, type RuleTerms } from './rule-terms.ts'
import { isLeftForPeople } from './sample.ts'

/**
 * A line that the platform had, as it was known. `explained`: codes that a way of rounding explains
 * which a person had accepted for its issuer.
 */
export type KnownLine = {
  id: string
  currency: string
  total: DecimalText
  /** False where what the proof said is not kept. */
  isKnown: boolean
  findings: readonly string[]
  explained: readonly string[]
  isVendorNew: boolean
  isRegimeNew: boolean
  /** Whether a person, and no rule, had decided about it. */
  isDecided: boolean
}

/** An invoice with its lines, as it was known. `issuingDate`: YYYY-MM-DD. */
export type KnownInvoice = {
  connectionId: string
  serialNumber: string
  issuingDate: string | null
  currency: string
  total: DecimalText
  isKnown: boolean
  isLocked: boolean
  completeness: Completeness
  lines: readonly KnownLine[]
}

/** `failed`: every condition that was not met, in their order; none: the rule takes it. */
type LineVerdict = { line: KnownLine; failed: Condition[] }

/** `isWhole`: it has lines, and the rule takes every one of them. */
export type InvoiceVerdict = { isWhole: boolean; lines: LineVerdict[] }

/** Judges every line of an invoice. The same of the same facts, always. */
export function judgeCertification(terms: RuleTerms, invoice: KnownInvoice): InvoiceVerdict {
  const ofInvoice = listFailedOfInvoice(terms, invoice)
  const lines = invoice.lines.map((line): LineVerdict => {
    const failed = new Set([...ofInvoice, ...listFailedOfLine(terms, invoice, line)])
    return { line, failed: CONDITIONS.filter((each) => failed.has(each)) }
  })
  return { isWhole: lines.length > 0 && lines.every(({ failed }) => failed.length === 0), lines }
}

function listFailedOfInvoice(terms: RuleTerms, invoice: KnownInvoice): Condition[] {
  const asks = (condition: RuleTerms['conditions'][number]) => terms.conditions.includes(condition)
  return listTrue({
    known: !invoice.isKnown,
    month: !isOfItsTime(terms, invoice.issuingDate),
    locked: invoice.isLocked,
    complete: asks('complete') && !isComplete(invoice.completeness),
    residual: asks('residual') && !hasNoResidual(invoice.completeness),
    limit: isOfInvoices(terms) && isOver(terms, invoice),
    sample: isOfInvoices(terms) && isLeftForPeople(terms, `${invoice.connectionId} ${invoice.serialNumber}`),
  })
}

function listFailedOfLine(terms: RuleTerms, { connectionId }: KnownInvoice, line: KnownLine): Condition[] {
  return listTrue({
    known: !line.isKnown,
    proved: !line.findings.every((code) => line.explained.includes(code)),
    vendor: terms.conditions.includes('vendor') && line.isVendorNew,
    regime: terms.conditions.includes('regime') && line.isRegimeNew,
    limit: !isOfInvoices(terms) && isOver(terms, line),
    decided: line.isDecided,
    sample: !isOfInvoices(terms) && isLeftForPeople(terms, `${connectionId} ${line.id}`),
  })
}

function listTrue(failed: Partial<Record<Condition, boolean>>): Condition[] {
  return CONDITIONS.filter((each) => failed[each])
}

/** An invoice that does not say when it was issued is of no month. */
function isOfItsTime({ activeFrom, monthsLeftOut }: RuleTerms, issuingDate: string | null): boolean {
  if (issuingDate === null || issuingDate < activeFrom) return false
  return !monthsLeftOut.includes(Number(issuingDate.slice(5, 7)))
}

/** Every line that it states is held, and none is unreadable or in another currency. */
function isComplete({ count, heldLineCount, rejectedLineCount, otherCurrencyLineCount }: Completeness): boolean {
  return count.outcome !== 'differs' && heldLineCount > 0 && rejectedLineCount === 0 && otherCurrencyLineCount === 0
}

/** Total and taxes come to what it states; a credit used, and rounding, are no residual. */
function hasNoResidual({ total, taxes }: Completeness): boolean {
  return total.outcome !== 'differs' && taxes.outcome !== 'differs'
}

function isOver({ limits }: RuleTerms, { currency, total }: { currency: string; total: DecimalText }): boolean {
  if (Object.keys(limits).length === 0) return false
  const most = Object.hasOwn(limits, currency) ? limits[currency] : undefined
  return most === undefined || compareDecimals(toSize(total), most) > 0
}
