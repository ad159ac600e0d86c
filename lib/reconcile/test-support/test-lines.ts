import fc from 'fast-check'
import type { ProvableLine } from '../line-proof.ts'
import { type DecimalText, parseDecimal } from '../money.ts'

const digits = (minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength, maxLength })

/** Decimals as partners write them: signs, zeros, 0 to 8 decimals, and occasionally 40 digits. */
export function decimalText(): fc.Arbitrary<DecimalText> {
  const integer = fc.oneof({ weight: 12, arbitrary: digits(1, 5) }, { weight: 1, arbitrary: digits(30, 32) })
  const fraction = fc.oneof(fc.constant(''), digits(2, 2), digits(1, 8), fc.constant('00000000'), fc.constant('005'))
  return fc
    .tuple(fc.constantFrom('', '', '', '-'), integer, fraction)
    .map(([sign, whole, decimals]) => parseDecimal(`${sign}${whole}${decimals && '.'}${decimals}`) as DecimalText)
}

const currency = fc.constantFrom('EUR', 'GBP', 'JPY', 'KWD', 'USD')
const rate = fc.constantFrom('0', '0E-8', '5.5', '7.00', '19', '19.00', '20.00000000', '10', '8.875', '-19')

/**
 * Lines of which about half state what their figures give: the stated tax and total follow a rule
 * (exact product, cut at some scale, and a nudge) or are arbitrary.
 */
export function provableLine(): fc.Arbitrary<ProvableLine> {
  const quantity = fc.oneof(fc.constantFrom('1', '2', '3', '-1', '0', '1.5', '-2').map(toDecimal), decimalText())
  return fc
    .record({
      quantity,
      unitPrice: decimalText(),
      nonTaxableUnitPrice: fc.oneof(fc.constant(toDecimal('0.00')), decimalText()),
      taxPercentage: fc.oneof(rate.map(toDecimal), decimalText()),
      taxAmount: decimalText(),
      totalAmount: decimalText(),
      currency,
      stated: fc.constantFrom('right', 'right', 'nudged', 'unrelated'),
      nudge: fc.constantFrom(-1n, 1n),
      scale: fc.integer({ min: 0, max: 8 }),
    })
    .map(({ stated, nudge, scale, ...line }) => {
      if (stated === 'unrelated') return line
      const extra = stated === 'nudged' ? nudge : 0n
      const taxable = multiply(scaled(line.quantity), scaled(line.unitPrice))
      const tax = round(multiply(multiply(taxable, scaled(line.taxPercentage)), [1n, 2]), scale)
      const taxAmount = write([tax + (scale % 2 === 0 ? extra : 0n), scale])
      const unit = add(scaled(line.unitPrice), scaled(line.nonTaxableUnitPrice))
      const total = round(add(multiply(scaled(line.quantity), unit), scaled(taxAmount)), scale)
      return { ...line, taxAmount, totalAmount: write([total + extra, scale]) }
    })
}

function toDecimal(text: string): DecimalText {
  return parseDecimal(text) as DecimalText
}

// An independent oracle: integers with a scale, no decimal library.
export type Scaled = readonly [units: bigint, scale: number]

export function scaled(text: string): Scaled {
  const [integer = '0', fraction = ''] = text.split('.')
  return [BigInt(integer + fraction), fraction.length]
}

export function add([a, aScale]: Scaled, [b, bScale]: Scaled): Scaled {
  const scale = Math.max(aScale, bScale)
  return [a * 10n ** BigInt(scale - aScale) + b * 10n ** BigInt(scale - bScale), scale]
}

export function multiply([a, aScale]: Scaled, [b, bScale]: Scaled): Scaled {
  return [a * b, aScale + bScale]
}

/** Units at the new scale, half away from zero. */
export function round([units, scale]: Scaled, digits: number): bigint {
  if (scale <= digits) return units * 10n ** BigInt(digits - scale)
  const divisor = 10n ** BigInt(scale - digits)
  const size = units < 0n ? -units : units
  const rounded = (2n * size + divisor) / (2n * divisor)
  return units < 0n ? -rounded : rounded
}

export function write([units, scale]: Scaled): DecimalText {
  const text = (units < 0n ? -units : units).toString().padStart(scale + 1, '0')
  const point = text.length - scale
  const plain = scale === 0 ? text : `${text.slice(0, point)}.${text.slice(point)}`
  return (units < 0n ? `-${plain}` : plain) as DecimalText
}
