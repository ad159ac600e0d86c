import { currencyDigits } from './currency.ts'
import { groupBy } from './group-by.ts'
import {
  addDecimals,
  compareDecimals,
  type DecimalText,
  decimalScale,
  isNegativeDecimal,
  isZeroDecimal,
  multiplyDecimals,
  negateDecimal,
  roundHalfAwayFromZero,
  subtractDecimals,
  sumDecimals,
  toPlainDecimal,
  toSize,
} from './money.ts'

/** Taxes of one regime and rate as the invoice states them; null where it does not say. */
export type StatedTaxes = {
  taxRegime: string | null
  taxPercentage: DecimalText | null
  subtotal: DecimalText | null
  taxAmount: DecimalText | null
  total: DecimalText | null
}

/** Sums of the held lines of one regime and rate, in the invoice's currency. */
export type HeldTaxes = {
  taxRegime: string | null
  taxPercentage: DecimalText
  lineCount: number
  taxAmount: DecimalText
  total: DecimalText
}

/**
 * An invoice's own figures beside what we hold of it. All amounts are in the invoice's currency.
 */
export type CompletenessInput = {
  currency: string
  total: DecimalText
  /** Null if the invoice does not say. */
  creditUsed: DecimalText | null
  /** How many lines the invoice says it has; null if it does not say. */
  statedLineCount: number | null
  statedTaxes: readonly StatedTaxes[]
  heldTaxes: readonly HeldTaxes[]
  /** Unreadable lines: held, but in no sum. */
  rejectedLineCount: number
  /** Lines in another currency than the invoice's: also in no sum. */
  otherCurrencyLineCount: number
}

type Outcome = 'agrees' | 'explained' | 'differs' | 'not_provided'

/**
 * One regime and rate. `difference` is stated - held; null if the invoice does not state the
 * figure.
 */
export type TaxesCheck = {
  taxRegime: string | null
  taxPercentage: DecimalText | null
  outcome: Outcome
  lineCount: number
  stated: DecimalText | null
  held: DecimalText
  /** The tax within `stated` and within `held`. */
  statedTax: DecimalText | null
  heldTax: DecimalText
  difference: DecimalText | null
  taxDifference: DecimalText | null
}

export type Verdict = 'complete' | 'explained' | 'differs' | 'lines_missing' | 'not_provided'

export type Completeness = {
  verdict: Verdict
  /** Lines whose figures count. */
  heldLineCount: number
  rejectedLineCount: number
  otherCurrencyLineCount: number
  count: { outcome: Outcome; stated: number | null; held: number }
  /** `held` is exact; `difference` is stated - held at the stated precision, before the credit. */
  total: {
    outcome: Outcome
    stated: DecimalText
    held: DecimalText
    difference: DecimalText
    creditUsed: DecimalText | null
  }
  /** The groups of the lines alone if the invoice states no taxes. */
  taxes: { outcome: Outcome; groups: TaxesCheck[] }
}

/**
 * Compares what we hold of an invoice with what it says itself: its number of lines, its total, and
 * its taxes per regime and rate. What it does not say is "not provided" and proves nothing. A total
 * that differs by exactly the credit used is explained; so is tax that differs by no more than
 * rounding each line can cause (assumption 19). The ledger does not ask about invoices of which it
 * is certain (lib/ledger/kept/plain-invoices/read-completeness.ts).
 */
export function proveCompleteness(input: CompletenessInput): Completeness {
  const heldLineCount = input.heldTaxes.reduce((sum, group) => sum + group.lineCount, 0)
  const count = checkCount(input, heldLineCount)
  const total = checkTotal(input)
  const taxes = checkTaxes(input)
  return {
    verdict: toVerdict(input, count, total, taxes),
    heldLineCount,
    rejectedLineCount: input.rejectedLineCount,
    otherCurrencyLineCount: input.otherCurrencyLineCount,
    count,
    total,
    taxes,
  }
}

function toVerdict(
  input: CompletenessInput,
  count: Completeness['count'],
  total: Completeness['total'],
  taxes: Completeness['taxes'],
): Verdict {
  const isShort = count.stated !== null && count.held < count.stated
  const hasNone = count.held === 0 && !isZeroDecimal(input.total)
  if (isShort || hasNone) return 'lines_missing'
  const isUnproved = input.rejectedLineCount > 0 || input.otherCurrencyLineCount > 0
  const outcomes = [count.outcome, total.outcome, taxes.outcome]
  if (isUnproved || outcomes.includes('differs')) return 'differs'
  if (count.held === 0 && count.stated === null) return 'not_provided'
  // tax explained by rounding changes no total: the invoice is complete
  return total.outcome === 'explained' ? 'explained' : 'complete'
}

function checkCount(input: CompletenessInput, heldLineCount: number): Completeness['count'] {
  const stated = input.statedLineCount
  const held = heldLineCount + input.rejectedLineCount + input.otherCurrencyLineCount
  return { outcome: stated === null ? 'not_provided' : stated === held ? 'agrees' : 'differs', stated, held }
}

function checkTotal({ currency, total, creditUsed, heldTaxes }: CompletenessInput): Completeness['total'] {
  const held = sumDecimals(heldTaxes.map((group) => group.total))
  const difference = differ(currency, total, held)
  const outcome = isZeroDecimal(difference) ? 'agrees' : isCredit(difference, creditUsed) ? 'explained' : 'differs'
  return { outcome, stated: total, held, difference, creditUsed }
}

/** stated - held, at the precision of the stated figure (assumption 2). */
function differ(currency: string, stated: DecimalText, held: DecimalText): DecimalText {
  const digits = Math.max(decimalScale(stated), currencyDigits(currency))
  return subtractDecimals(stated, roundHalfAwayFromZero(held, digits))
}

/** Credit used is deducted from the total; it may be stated with either sign. */
function isCredit(difference: DecimalText, creditUsed: DecimalText | null): boolean {
  if (creditUsed === null || isZeroDecimal(creditUsed)) return false
  const taken = isNegativeDecimal(creditUsed) ? creditUsed : negateDecimal(creditUsed)
  return compareDecimals(difference, taken) === 0
}

function checkTaxes(input: CompletenessInput): Completeness['taxes'] {
  // if the invoice names no regimes, compare lines by rate, whatever their regime
  const isStated = input.statedTaxes.length > 0
  const byRegime = input.statedTaxes.every(({ taxRegime }) => taxRegime !== null)
  const keyOf = (group: { taxRegime: string | null; taxPercentage: DecimalText | null }) =>
    `${byRegime ? group.taxRegime : ''} ${group.taxPercentage === null ? '' : toPlainDecimal(group.taxPercentage)}`
  const stated = groupBy(input.statedTaxes, keyOf)
  const held = groupBy(input.heldTaxes, keyOf)
  const groups = [...new Set([...stated.keys(), ...held.keys()])].map((key) =>
    checkGroup(input.currency, isStated ? (stated.get(key) ?? []) : null, held.get(key) ?? [], byRegime),
  )
  const outcomes = groups.map(({ outcome }) => outcome)
  const worst = (['differs', 'not_provided', 'explained', 'agrees'] as const).find((each) => outcomes.includes(each))
  return { outcome: worst ?? 'not_provided', groups }
}

/** `stated`: null if the invoice states no taxes at all. */
function checkGroup(
  currency: string,
  stated: readonly StatedTaxes[] | null,
  held: readonly HeldTaxes[],
  byRegime: boolean,
): TaxesCheck {
  const lineCount = held.reduce((sum, group) => sum + group.lineCount, 0)
  const heldTotal = sumDecimals(held.map((group) => group.total))
  const heldTax = sumDecimals(held.map((group) => group.taxAmount))
  const statedTotal =
    stated && sumStated(stated.map((group) => group.total ?? sumStated([group.subtotal, group.taxAmount])))
  const statedTax = stated && sumStated(stated.map((group) => group.taxAmount))
  const difference = statedTotal === null ? null : differ(currency, statedTotal, heldTotal)
  const taxDifference = statedTax === null ? null : differ(currency, statedTax, heldTax)
  const first = stated?.[0] ?? held[0]
  return {
    taxRegime: byRegime ? (first?.taxRegime ?? null) : null,
    taxPercentage: first?.taxPercentage ?? null,
    outcome: toGroupOutcome(difference, taxDifference, { currency, lineCount }),
    lineCount,
    stated: statedTotal,
    held: heldTotal,
    statedTax,
    heldTax,
    difference,
    taxDifference,
  }
}

function toGroupOutcome(
  difference: DecimalText | null,
  taxDifference: DecimalText | null,
  lines: LinesOfGroup,
): Outcome {
  if (difference === null) return 'not_provided'
  if (!isZeroDecimal(difference))
    return isSame(difference, taxDifference) && isRounding(difference, lines) ? 'explained' : 'differs'
  if (taxDifference === null || isZeroDecimal(taxDifference)) return 'agrees'
  return isRounding(taxDifference, lines) ? 'explained' : 'differs'
}

type LinesOfGroup = { currency: string; lineCount: number }

/** Rounding shifts each line's tax, and the group's own, by at most half of the smallest unit. */
function isRounding(difference: DecimalText, { currency, lineCount }: LinesOfGroup): boolean {
  const half = `0.${'0'.repeat(currencyDigits(currency))}5` as DecimalText
  const most = multiplyDecimals(half, String(lineCount + 1) as DecimalText)
  return compareDecimals(toSize(difference), most) <= 0
}

function isSame(a: DecimalText, b: DecimalText | null): boolean {
  return b !== null && compareDecimals(a, b) === 0
}

/** Null if one of the figures is not stated; `0` for an empty list. */
function sumStated(values: readonly (DecimalText | null)[]): DecimalText | null {
  let sum: DecimalText | null = null
  for (const value of values) {
    if (value === null) return null
    sum = sum === null ? value : addDecimals(sum, value)
  }
  return sum ?? ('0' as DecimalText)
}
