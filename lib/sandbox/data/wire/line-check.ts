import { isRealDay } from '../calendar.ts'
import { currencyDigits } from '../currency.ts'
import {
  addFixed,
  type Fixed,
  fixedText,
  isZeroFixed,
  multiplyFixed,
  parseFixed,
  roundFixed,
  subtractFixed,
} from '../decimal.ts'
import type { FindingCode, LineFact } from '../model.ts'
import { isJsonObject, type JsonObject, type JsonValue, scalarText } from './json.ts'

const AMOUNT_FIELDS = [
  'quantity',
  'unit_price',
  'non_taxable_unit_price',
  'tax_percentage',
  'tax_amount',
  'total_amount',
] as const
type AmountField = (typeof AMOUNT_FIELDS)[number]

export type LineCheck = {
  codes: FindingCode[]
  total: Fixed
  expectedTotal: string
  statedTotal: string
  difference: string
  expectedTax: string
  statedTax: string
  taxDifference: string
}

/**
 * The field of a line that cannot be read (not a decimal, not a calendar day); null when all can.
 */
export function unreadableField(wire: JsonObject): string | null {
  for (const field of AMOUNT_FIELDS) {
    const text = scalarText(wire[field])
    if (text === null || parseFixed(text) === null) return field
  }
  const day = scalarText(wire.expense_date)
  return day === null || !isRealDay(day) ? 'expense_date' : null
}

/**
 * Proves a readable line with the sandbox's own arithmetic: the contract's formulas for
 * total_amount and tax_amount, rounded half away from zero. The total is checked at its stated
 * precision, never coarser than the currency.
 */
export function checkLine(wire: JsonObject, currency: string): LineCheck {
  const digits = currencyDigits(currency)
  const quantity = requireAmount(wire, 'quantity')
  const unitPrice = requireAmount(wire, 'unit_price')
  const tax = requireAmount(wire, 'tax_amount')
  const total = requireAmount(wire, 'total_amount')
  const price = addFixed(unitPrice, requireAmount(wire, 'non_taxable_unit_price'))
  const expectedTotal = roundFixed(addFixed(multiplyFixed(quantity, price), tax), Math.max(total.scale, digits))
  const percent = multiplyFixed(requireAmount(wire, 'tax_percentage'), { units: 1n, scale: 2 })
  const expectedTax = roundFixed(multiplyFixed(percent, multiplyFixed(quantity, unitPrice)), digits)
  const difference = subtractFixed(total, expectedTotal)
  const taxDifference = subtractFixed(tax, expectedTax)
  const codes: FindingCode[] = []
  if (!isZeroFixed(difference)) codes.push('total')
  if (!isZeroFixed(taxDifference)) codes.push('tax')
  return {
    codes,
    total,
    expectedTotal: fixedText(expectedTotal),
    statedTotal: fixedText(total),
    difference: fixedText(difference),
    expectedTax: fixedText(expectedTax),
    statedTax: fixedText(tax),
    taxDifference: fixedText(taxDifference),
  }
}

/**
 * What the control totals need of a line; an empty trip, cost center or vertical counts as unknown.
 */
export function factOfLine(wire: JsonObject, currency: string): LineFact {
  const metadata = isJsonObject(wire.metadata) ? wire.metadata : {}
  const keys = {
    currency,
    tripId: knownText(metadata.trip_id),
    costCenter: knownText(metadata.cost_center),
    vertical: knownText(metadata.related_vertical),
  }
  const rejected = unreadableField(wire)
  if (rejected) return { ...keys, totalUnits: 0n, totalScale: 0, codes: [], rejected }
  const check = checkLine(wire, currency)
  return { ...keys, totalUnits: check.total.units, totalScale: check.total.scale, codes: check.codes, rejected: null }
}

function knownText(value: JsonValue | undefined): string | null {
  return scalarText(value) || null
}

function requireAmount(wire: JsonObject, field: AmountField): Fixed {
  const value = parseFixed(scalarText(wire[field]) ?? '')
  if (!value) throw new RangeError(`unreadable ${field}`)
  return value
}
