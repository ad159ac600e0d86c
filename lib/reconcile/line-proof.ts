import { lineDigits, roundTax, roundTotal } from './contract-rounding.ts'
import { type DecimalText, decimalScale, isZeroDecimal, parseDecimal, toExact, writeExact } from './money.ts'

/** What can be wrong with a line: its total does not add up, or its tax does not match its rate. */
export type FindingCode = 'total' | 'tax'

/** One failed check. `difference` is actual - expected, exact, in the line's currency. */
export type Finding = {
  code: FindingCode
  expected: DecimalText
  actual: DecimalText
  difference: DecimalText
  currency: string
}

/** The figures a line's proof needs; all amounts in `currency`, the rate in percent. */
export type ProvableLine = {
  quantity: DecimalText
  unitPrice: DecimalText
  nonTaxableUnitPrice: DecimalText
  taxPercentage: DecimalText
  taxAmount: DecimalText
  totalAmount: DecimalText
  currency: string
}

/** The two checks of a line. Both differences are stated - expected, and present even if zero. */
export type LineProof = {
  expectedTotal: DecimalText
  difference: DecimalText
  expectedTax: DecimalText
  taxDifference: DecimalText
  findings: Finding[]
}

const ONE_PERCENT = toExact(parseDecimal('0.01') as DecimalText)

/**
 * Proves one line to the last digit; the same line always gives the same proof.
 *
 * Total (contract, "Invoice line object"): quantity * (unit_price + non_taxable_unit_price) +
 * tax_amount, compared at the total's stated precision, but at least at the currency's digits
 * (assumption 2). Tax: tax_percentage of quantity * unit_price, rounded half away from zero to the
 * currency's digits once per line (assumption 1), compared by value. The stated rate counts,
 * whatever the regime (assumption 18). Refunds and credit notes follow the same formula (assumption
 * 3).
 */
export function proveLine(line: ProvableLine): LineProof {
  const rounding = lineDigits(line)
  const quantity = toExact(line.quantity)
  const unitPrice = toExact(line.unitPrice)
  const taxAmount = toExact(line.taxAmount)
  const totalAmount = toExact(line.totalAmount)

  const total = roundTotal(quantity.times(unitPrice.plus(line.nonTaxableUnitPrice)).plus(taxAmount), rounding)
  const expectedTotal = writeExact(total, rounding.totalDigits)
  const difference = writeExact(totalAmount.minus(total), rounding.totalDigits)

  const tax = roundTax(quantity.times(unitPrice).times(line.taxPercentage).times(ONE_PERCENT), rounding)
  const expectedTax = writeExact(tax, rounding.digits)
  const exactTaxDifference = taxAmount.minus(tax)
  const taxDifference = writeExact(exactTaxDifference, Math.max(decimalScale(line.taxAmount), rounding.digits))

  const findings: Finding[] = []
  const { currency } = line
  if (!isZeroDecimal(difference)) {
    findings.push({ code: 'total', expected: expectedTotal, actual: line.totalAmount, difference, currency })
  }
  if (!exactTaxDifference.isZero()) {
    findings.push({ code: 'tax', expected: expectedTax, actual: line.taxAmount, difference: taxDifference, currency })
  }
  return { expectedTotal, difference, expectedTax, taxDifference, findings }
}
