/** What is expected back for a disputed line: what its figures say, or what a person says. */
import { currencyDigits } from '../currency.ts'
import { isCreditMode } from '../line-notes.ts'
import type { LineProof } from '../line-proof.ts'
import {
  addDecimals,
  compareDecimals,
  type DecimalText,
  decimalScale,
  isNegativeDecimal,
  isZeroDecimal,
  parseDecimal,
  roundHalfAwayFromZero,
  toPlainDecimal,
  toSize,
} from '../money.ts'

/** The line as far as it decides what is expected back. */
export type DisputedLine = { totalAmount: DecimalText; currency: string; invoiceMode: string | null }

/**
 * Why the figures of a line say nothing that could be expected back. `nothing_owed`: its total is
 * not above what it should be. `below_minor_unit`: by less than anybody can pay. `sign_unknown`: on
 * a credit document above zero it is not known whether a figure charges or refunds (assumption 3).
 */
export type NoDefault = 'nothing_owed' | 'below_minor_unit' | 'sign_unknown'

/** What is wrong with a person's amount. `above_limit`: more than the line can give back. */
export type AmountProblem = 'not_a_number' | 'negative' | 'zero' | 'too_many_decimals' | 'above_limit'

/** `amount`: above zero, in the line's currency, with at least the decimals of it. */
export type ExpectedCredit = { amount: DecimalText; source: 'difference' | 'person' }

/**
 * What the figures of a line say: by how much its stated total is above the one that its units and
 * its rate give. That is the proof's difference and its difference of tax together: the first takes
 * the stated tax for right, the second does not.
 *
 * The sign does the rest. A charge of 124.60 that should be 83.30 is 41.30 too much; a refund of
 * -80.00 that should be -100.00 is 20.00 short, and one of -100.00 that should be -80.00 owes
 * nothing. In size a refund is the other way round, in value it is not.
 */
export function defaultExpectedCredit(
  line: DisputedLine,
  proof: Pick<LineProof, 'difference' | 'taxDifference'>,
): DecimalText | NoDefault {
  if (isCreditMode(line.invoiceMode) && compareDecimals(line.totalAmount, ZERO) > 0) return 'sign_unknown'
  const owed = addDecimals(proof.difference, proof.taxDifference)
  if (isNegativeDecimal(owed) || isZeroDecimal(owed)) return 'nothing_owed'
  const digits = currencyDigits(line.currency)
  return compareDecimals(owed, toMinorUnit(digits)) < 0 ? 'below_minor_unit' : toDigits(owed, digits)
}

export function isNoDefault(value: DecimalText | NoDefault): value is NoDefault {
  return value === 'nothing_owed' || value === 'below_minor_unit' || value === 'sign_unknown'
}

/**
 * What is expected back: a person's amount where there is one (`41.30`, in plain notation), else
 * what the figures say. A person's amount is above zero, has no more decimals than the currency,
 * and is not above the line's total in size; but never is less allowed than what the figures say,
 * as for a refund that is far too small.
 */
export function toExpectedCredit(
  line: DisputedLine,
  proof: Pick<LineProof, 'difference' | 'taxDifference'>,
  ofPerson: string | null,
): ExpectedCredit | { problem: AmountProblem | NoDefault } {
  const ofFigures = defaultExpectedCredit(line, proof)
  if (ofPerson === null)
    return isNoDefault(ofFigures) ? { problem: ofFigures } : { amount: ofFigures, source: 'difference' }
  const amount = parseDecimal(ofPerson.trim())
  if (amount === null) return { problem: 'not_a_number' }
  if (isZeroDecimal(amount)) return { problem: 'zero' }
  if (isNegativeDecimal(amount)) return { problem: 'negative' }
  const digits = currencyDigits(line.currency)
  if (decimalScale(toPlainDecimal(amount)) > digits) return { problem: 'too_many_decimals' }
  const limits = [toSize(line.totalAmount), ...(isNoDefault(ofFigures) ? [] : [ofFigures])]
  if (limits.every((limit) => compareDecimals(amount, limit) > 0)) return { problem: 'above_limit' }
  return { amount: toDigits(amount, digits), source: 'person' }
}

const ZERO = '0' as DecimalText

function toMinorUnit(digits: number): DecimalText {
  return (digits === 0 ? '1' : `0.${'1'.padStart(digits, '0')}`) as DecimalText
}

/** With the currency's decimals, and every further one that is not zero: nothing is rounded. */
function toDigits(amount: DecimalText, digits: number): DecimalText {
  return addDecimals(toPlainDecimal(amount), roundHalfAwayFromZero(ZERO, digits))
}
