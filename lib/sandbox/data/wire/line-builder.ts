import { currencyDigits } from '../currency.ts'
import { addFixed, fixed, fixedText, isZeroFixed, multiplyFixed, roundFixed } from '../decimal.ts'
import type { JsonObject } from './json.ts'

/**
 * `short` writes the currency's decimals; `long` writes eight, and zero as "0E-8", like old
 * payloads.
 */
export type AmountStyle = 'short' | 'long'

export type LineSpec = {
  id: string
  expenseDate: string
  description: string
  quantity: number
  unitPrice: string
  nonTaxableUnitPrice?: string
  taxPercentage: string
  taxRegime: string
  currency: string
  style?: AmountStyle
  metadata: JsonObject
}

/** Builds a line whose tax and total follow the contract's formulas exactly. */
export function buildLine(spec: LineSpec): JsonObject {
  const digits = currencyDigits(spec.currency)
  const quantity = fixed(String(spec.quantity))
  const unitPrice = fixed(spec.unitPrice)
  const nonTaxable = fixed(spec.nonTaxableUnitPrice ?? '0')
  const percent = multiplyFixed(fixed(spec.taxPercentage), { units: 1n, scale: 2 })
  const tax = roundFixed(multiplyFixed(percent, multiplyFixed(quantity, unitPrice)), digits)
  const total = addFixed(multiplyFixed(quantity, addFixed(unitPrice, nonTaxable)), tax)
  const write = (text: string) => amountText(text, digits, spec.style ?? 'short')
  return {
    id: spec.id,
    expense_date: spec.expenseDate,
    description: spec.description,
    quantity: spec.quantity,
    unit_price: write(spec.unitPrice),
    non_taxable_unit_price: write(spec.nonTaxableUnitPrice ?? '0'),
    tax_percentage: spec.style === 'long' ? amountText(spec.taxPercentage, 2, 'long') : spec.taxPercentage,
    tax_amount: write(fixedText(tax)),
    tax_regime: spec.taxRegime,
    total_amount: spec.style === 'long' ? write(fixedText(total)) : fixedText(roundFixed(total, digits)),
    metadata: spec.metadata,
  }
}

/** Writes an amount in a style; never loses decimals beyond the currency's. */
export function amountText(text: string, digits: number, style: AmountStyle): string {
  const value = fixed(text)
  if (style === 'long') return isZeroFixed(value) ? '0E-8' : fixedText(roundFixed(value, Math.max(8, value.scale)))
  return fixedText(roundFixed(value, Math.max(digits, value.scale)))
}
