import { CONTRACT_ROUNDING, lineDigits, roundByContract, roundTax, roundTotal } from '../contract-rounding.ts'
import { isCreditMode } from '../line-notes.ts'
import type { ProvableLine } from '../line-proof.ts'
import { decimalScale, type ExactNumber, type RoundingMode, roundExact, toExact } from '../money.ts'
import type { Convention } from '../reason.ts'

/** A line as a convention reads it: its figures, and what kind of document it is on. */
export type ExplainableLine = ProvableLine & { invoiceMode: string | null }

/** The figure that one convention gives for a line: exact, in the line’s currency. */
export type ConventionFigure = { convention: Convention; figure: ExactNumber }

const MODES: readonly RoundingMode[] = ['half_up', 'half_even', 'half_down', 'truncated']
const OTHER_MODES = MODES.filter((mode) => mode !== CONTRACT_ROUNDING)

/** Digits of a unit price beyond which it can only be the result of a division. */
const DIVIDED_DIGITS = 6

/** A line’s figures, opened once for all conventions. */
export type OpenLine = ReturnType<typeof openLine>

export function openLine(line: ExplainableLine) {
  const [quantity, price, rest] = [toExact(line.quantity), toExact(line.unitPrice), toExact(line.nonTaxableUnitPrice)]
  const [rate, tax, total] = [toExact(line.taxPercentage), toExact(line.taxAmount), toExact(line.totalAmount)]
  const net = quantity.times(price)
  return {
    ...lineDigits(line),
    taxScale: decimalScale(line.taxAmount),
    priceScale: decimalScale(line.unitPrice),
    restScale: decimalScale(line.nonTaxableUnitPrice),
    isCredit: isCreditMode(line.invoiceMode),
    quantity,
    price,
    rest,
    rate,
    tax,
    total,
    /** Quantity * unit price: what the contract taxes. */
    net,
    exactTax: net.times(rate).times('0.01'),
  }
}

/** What each way of rounding gives for the tax. They are rivals: a line follows one of them. */
export function roundTaxes(line: OpenLine): ConventionFigure[] {
  const perUnit = line.price.times(line.rate).times('0.01')
  return [
    ...perMode('tax', OTHER_MODES, (mode) => roundExact(line.exactTax, line.digits, mode)),
    ...perMode('tax_per_unit', unitModes(line), (mode) => line.quantity.times(roundExact(perUnit, line.digits, mode))),
  ]
}

/** What each way of rounding gives for the total, with the tax as it is stated. */
export function roundTotals(line: OpenLine): ConventionFigure[] {
  const { quantity, price, rest, net, tax, totalDigits, digits } = line
  const beforeTax = net.plus(quantity.times(rest))
  const convention = 'total_of_unrounded_tax' as const
  const inParts = roundByContract(net, digits).plus(roundByContract(quantity.times(rest), digits))
  return [
    ...perMode('total', OTHER_MODES, (mode) => roundExact(beforeTax.plus(tax), totalDigits, mode)),
    ...perMode('total_per_unit', unitModes(line), (mode) =>
      quantity.times(roundExact(price.plus(rest), digits, mode)).plus(tax),
    ),
    { convention: 'total_by_parts', figure: inParts.plus(tax) },
    ...(isRounded(line) ? [{ convention, figure: roundTotal(beforeTax.plus(line.exactTax), line) }] : []),
  ]
}

/** Whether the stated tax is the exact one, rounded in whatever way. */
function isRounded({ exactTax, tax, digits }: OpenLine): boolean {
  return exactTax.minus(tax).abs().times(`1e${digits}`).lessThan(1)
}

/**
 * The tax is left unrounded on the line, to be rounded once per document: only a stated tax with
 * more digits than the currency has can show it.
 */
export function keepTaxDigits(line: OpenLine): ExactNumber | null {
  return line.taxScale > line.digits ? roundByContract(line.exactTax, line.taxScale) : null
}

/** The rate is applied to the non-taxable part as well. */
export function taxNonTaxable(line: OpenLine): ExactNumber | null {
  if (line.rest.isZero()) return null
  const whole = line.quantity.times(line.price.plus(line.rest))
  return roundTax(whole.times(line.rate).times('0.01'), line)
}

/** Tax and total of a line, as a convention gives them that puts the whole line together. */
export type BuiltLine = { tax: ExactNumber; total: ExactNumber }

/**
 * Unit prices are amounts of the line divided by its quantity, so the product misses the amount by
 * what the division cut off. Null unless the prices are such quotients. The total holds the tax as
 * stated.
 */
export function undoDivision(line: OpenLine): BuiltLine | null {
  if (line.quantity.isZero() || Math.max(line.priceScale, line.restScale) < DIVIDED_DIGITS) return null
  const net = amountBehind(line, line.price, line.priceScale)
  const rest = amountBehind(line, line.rest, line.restScale)
  if (net === null || rest === null) return null
  const tax = roundTax(net.times(line.rate).times('0.01'), line)
  return { tax, total: net.plus(rest).plus(line.tax) }
}

/** The amount in the currency’s digits whose division gives the price; null if there is none. */
function amountBehind(line: OpenLine, price: ExactNumber, scale: number): ExactNumber | null {
  const product = line.quantity.times(price)
  if (scale < DIVIDED_DIGITS) return product
  const amount = roundByContract(product, line.digits)
  const quotient = amount.div(line.quantity)
  return MODES.some((mode) => roundExact(quotient, scale, mode).equals(price)) ? amount : null
}

/** The unit price already holds the tax, so nothing is added to it. */
export function includeTax(line: OpenLine): BuiltLine | null {
  const whole = line.rate.plus(100)
  if (line.rate.isZero() || whole.isZero()) return null
  const tax = roundTax(line.net.times(line.rate).div(whole), line)
  return { tax, total: roundTotal(line.net.plus(line.quantity.times(line.rest)), line) }
}

/** A credit document states its total, or its tax and its total, with the other sign. */
export function turnSigns(line: OpenLine): BuiltLine[] {
  if (!line.isCredit) return []
  const tax = roundTax(line.exactTax, line)
  const whole = line.net.plus(line.quantity.times(line.rest)).plus(tax)
  const total = roundTotal(whole, line).negated()
  return [
    { tax, total },
    { tax: tax.negated(), total },
  ]
}

/** Rounding one unit is rounding the line. */
function unitModes(line: OpenLine): readonly RoundingMode[] {
  return line.quantity.abs().equals(1) ? [] : MODES
}

/** Per unit and half up is the plain name; half up per line is the contract’s and no convention. */
function perMode(
  stem: 'tax' | 'tax_per_unit' | 'total' | 'total_per_unit',
  modes: readonly RoundingMode[],
  figureOf: (mode: RoundingMode) => ExactNumber,
): ConventionFigure[] {
  return modes.map((mode) => ({
    convention: (mode === 'half_up' ? stem : `${stem}_${mode}`) as Convention,
    figure: figureOf(mode),
  }))
}
