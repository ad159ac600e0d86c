import { formatAmount, formatNumber } from './format.ts'
import type { LineProof, ProvableLine } from './line-proof.ts'
import {
  addDecimals,
  type DecimalText,
  isNegativeDecimal,
  isZeroDecimal,
  multiplyDecimals,
  negateDecimal,
} from './money.ts'

/**
 * One row of the equation: its role, label and formatted figure. `currency` is set on rows that
 * show the code; `failed` on a difference that is a finding.
 */
export type EquationRow = {
  check: 'total' | 'tax'
  role: 'units' | 'tax' | 'expected' | 'stated' | 'difference'
  label: string
  figure: string
  currency: string | null
  failed: boolean
}

/**
 * Lays out a line's proof in the order it is checked: the units, the tax, then expected, stated and
 * difference. If the tax itself is off, three more rows (check `tax`) compare it with the stated
 * rate of the taxable part.
 */
export function toEquation(line: ProvableLine, proof: LineProof): EquationRow[] {
  const { currency } = line
  const amount = (value: DecimalText) => formatAmount(value, currency)
  const row = (check: EquationRow['check'], role: EquationRow['role'], label: string, figure: string): EquationRow => ({
    check,
    role,
    label,
    figure,
    currency: role === 'expected' || role === 'stated' ? currency : null,
    failed: false,
  })
  const difference = (check: EquationRow['check'], value: DecimalText): EquationRow => ({
    ...row(check, 'difference', 'difference', formatAmount(value, currency, { sign: 'always' })),
    failed: !isZeroDecimal(value),
  })

  const unitTotal = addDecimals(line.unitPrice, line.nonTaxableUnitPrice)
  const taxable = multiplyDecimals(line.quantity, line.unitPrice)
  const taxOfTaxable = `tax ${formatNumber(line.taxPercentage)}% of ${amount(taxable)}`
  const isTaxRight = isZeroDecimal(proof.taxDifference)
  const rows = [
    row('total', 'units', toUnitsLabel(line), amount(multiplyDecimals(line.quantity, unitTotal))),
    row('total', 'tax', isTaxRight ? `+ ${taxOfTaxable}` : '+ tax as stated', amount(line.taxAmount)),
    row('total', 'expected', 'expected', amount(proof.expectedTotal)),
    row('total', 'stated', 'stated', amount(line.totalAmount)),
    difference('total', proof.difference),
  ]
  if (isTaxRight) return rows
  return [
    ...rows,
    row('tax', 'expected', taxOfTaxable, amount(proof.expectedTax)),
    row('tax', 'stated', 'tax stated', amount(line.taxAmount)),
    difference('tax', proof.taxDifference),
  ]
}

/** `2 × (120.50 + 14.00)`, or `3 × 33.33333333` without a non-taxable part. */
function toUnitsLabel(line: ProvableLine): string {
  const quantity = formatNumber(line.quantity)
  const unit = formatAmount(line.unitPrice, line.currency)
  if (isZeroDecimal(line.nonTaxableUnitPrice)) return `${quantity} × ${unit}`
  const isMinus = isNegativeDecimal(line.nonTaxableUnitPrice)
  const rest = formatAmount(isMinus ? negateDecimal(line.nonTaxableUnitPrice) : line.nonTaxableUnitPrice, line.currency)
  return `${quantity} × (${unit} ${isMinus ? '\u2212' : '+'} ${rest})`
}
