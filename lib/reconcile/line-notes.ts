import { type DecimalText, isNegativeDecimal, isZeroDecimal } from './money.ts'

/**
 * A note on a line. It is shown but never counts as a finding: the figures may well be right.
 * - `credit_sign`: a credit note's line states a total above zero (the sign convention is not
 *   documented)
 * - `no_id`: the partner gave no id; ours is derived from the content
 * - `no_cost_center`: the trip is mapped to no cost center
 * - `unreadable_field`: an optional field has a shape we cannot read; it stays in the raw payload
 */
export type LineNote = 'credit_sign' | 'no_id' | 'no_cost_center' | 'unreadable_field'

export type NotableLine = {
  idWasMissing: boolean
  invoiceMode: string | null
  totalAmount: DecimalText
  costCenter: string | null
  unreadablePaths: readonly string[]
}

/** The notes that apply to a line, in a fixed order. */
export function listLineNotes(line: NotableLine): LineNote[] {
  const notes: LineNote[] = []
  if (isCreditMode(line.invoiceMode) && isPositive(line.totalAmount)) notes.push('credit_sign')
  if (line.idWasMissing) notes.push('no_id')
  if (line.costCenter === null) notes.push('no_cost_center')
  if (line.unreadablePaths.length > 0) notes.push('unreadable_field')
  return notes
}

/**
 * Whether a mode marks a credit note, such as `credit-reseller`; modes are an open set (assumption
 * 17).
 */
export function isCreditMode(mode: string | null): boolean {
  return mode?.toLowerCase().startsWith('credit-') ?? false
}

function isPositive(amount: DecimalText): boolean {
  return !isNegativeDecimal(amount) && !isZeroDecimal(amount)
}
