/** How the contract rounds: for the proof, and for what explains a line that fails it. */
import { currencyDigits } from './currency.ts'
import { type DecimalText, decimalScale, type ExactNumber, type RoundingMode, roundExact } from './money.ts'

/** Half away from zero (assumption 1). */
export const CONTRACT_ROUNDING: RoundingMode = 'half_up'

/** The currency's decimals; and a total's: as many as it states, if that is more (assumption 2). */
export type LineDigits = { digits: number; totalDigits: number }

export function lineDigits(line: { currency: string; totalAmount: DecimalText }): LineDigits {
  const digits = currencyDigits(line.currency)
  return { digits, totalDigits: Math.max(decimalScale(line.totalAmount), digits) }
}

/** A tax is rounded once per line. */
export function roundTax(exact: ExactNumber, { digits }: LineDigits): ExactNumber {
  return roundByContract(exact, digits)
}

export function roundTotal(exact: ExactNumber, { totalDigits }: LineDigits): ExactNumber {
  return roundByContract(exact, totalDigits)
}

/** Any other figure of a line, with at most `digits` decimals. */
export function roundByContract(exact: ExactNumber, digits: number): ExactNumber {
  return roundExact(exact, digits, CONTRACT_ROUNDING)
}
