import { Decimal } from 'decimal.js'

declare const decimalText: unique symbol

/**
 * An exact decimal in plain notation: optional `-`, digits, optional fraction. Never an exponent,
 * never `-0`, no leading zeros. Keeps its stated scale (`20.00000000` stays so). It crosses every
 * border as text.
 */
export type DecimalText = string & { readonly [decimalText]: true }

/** An amount and its ISO 4217 currency code. */
export type Money = { amount: DecimalText; currency: string }

/** The most digits of one decimal, once its exponent is written out. */
const MAX_DECIMAL_DIGITS = 60

/**
 * 400 significant digits hold the product of three decimals of 60 digits plus a fourth, so only
 * `writeExact` and `roundExact` ever round. decimal.js's ROUND_HALF_UP is half away from zero.
 */
const Exact = Decimal.clone({
  precision: 400,
  rounding: Decimal.ROUND_HALF_UP,
  toExpNeg: -9e15,
  toExpPos: 9e15,
})

/**
 * A decimal opened for arithmetic (`plus`, `minus`, `times`, `equals`), for hot paths that read a
 * text only once.
 */
export type ExactNumber = Decimal

/** The exact value of a decimal text. */
export function toExact(value: DecimalText): ExactNumber {
  return new Exact(value)
}

/**
 * Writes an exact value with exactly `digits` decimals, rounding half away from zero if that drops
 * any (PostgreSQL's `round(numeric, n)`). A zero result has no sign.
 */
export function writeExact(value: ExactNumber, digits: number): DecimalText {
  const text = value.toFixed(digits)
  // decimal.js keeps the sign of the unrounded value: -0.001 would read "-0.00".
  return (text.charCodeAt(0) === 45 && !/[1-9]/.test(text) ? text.slice(1) : text) as DecimalText
}

/**
 * How a value between two figures is settled. `half_up` is half away from zero, `half_down` half
 * toward zero, `truncated` drops the digits.
 */
export type RoundingMode = 'half_up' | 'half_even' | 'half_down' | 'truncated'

const ROUNDING: Record<RoundingMode, Decimal.Rounding> = {
  half_up: Decimal.ROUND_HALF_UP,
  half_even: Decimal.ROUND_HALF_EVEN,
  half_down: Decimal.ROUND_HALF_DOWN,
  truncated: Decimal.ROUND_DOWN,
}

/** The exact value with at most `digits` decimals. */
export function roundExact(value: ExactNumber, digits: number, mode: RoundingMode): ExactNumber {
  return value.toDecimalPlaces(digits, ROUNDING[mode])
}

const DECIMAL = /^([+-]?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/
const PLAIN_DECIMAL = /^(?:0|-?[1-9]\d{0,14})(?:\.\d{1,15})?$/

/**
 * Reads a decimal as partners write it (`20.00`, `-5`, `+1.5`, `0E-8`) and writes it plainly, digit
 * for digit, with its stated scale. Null for anything else (spaces, commas, hex, NaN), and for more
 * than 60 digits written out.
 */
export function parseDecimal(text: string): DecimalText | null {
  if (PLAIN_DECIMAL.test(text)) return text as DecimalText
  const match = DECIMAL.exec(text)
  if (!match || text.length > 2 * MAX_DECIMAL_DIGITS) return null
  const [, sign, whole = '', fraction = '', exponent = '0'] = match
  const shift = Number(exponent)
  if (Math.abs(shift) > MAX_DECIMAL_DIGITS) return null
  let digits = whole + fraction
  let point = whole.length + shift
  if (point > digits.length) digits = digits.padEnd(point, '0')
  if (point < 1) {
    digits = '0'.repeat(1 - point) + digits
    point = 1
  }
  const integer = digits.slice(0, point).replace(/^0+(?=\d)/, '')
  const decimals = digits.slice(point)
  if (integer.length + decimals.length > MAX_DECIMAL_DIGITS) return null
  const plain = decimals === '' ? integer : `${integer}.${decimals}`
  return (sign === '-' && /[1-9]/.test(plain) ? `-${plain}` : plain) as DecimalText
}

/** The number of stated decimals: 2 for `20.00`, 0 for `20`. */
export function decimalScale(value: DecimalText): number {
  const point = value.indexOf('.')
  return point < 0 ? 0 : value.length - point - 1
}

/**
 * The value in units of its `scale`-th decimal: 12.3 at scale 2 is 1230. Sums and comparisons of
 * texts need nothing else, and whole numbers are several times quicker than decimal.js.
 * @param scale Not below the value's own.
 */
export function toUnits(value: DecimalText, scale: number): bigint {
  const point = value.indexOf('.')
  if (point < 0) return BigInt(value + '0'.repeat(scale))
  const missing = scale - (value.length - point - 1)
  return BigInt(value.slice(0, point) + value.slice(point + 1) + '0'.repeat(missing))
}

function writeUnits(units: bigint, scale: number): DecimalText {
  if (scale === 0) return units.toString() as DecimalText
  const [sign, size] = units < 0n ? ['-', -units] : ['', units]
  const digits = size.toString().padStart(scale + 1, '0')
  return `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}` as DecimalText
}

/** a + b, exactly, with the larger of the two scales. */
export function addDecimals(a: DecimalText, b: DecimalText): DecimalText {
  const scale = Math.max(decimalScale(a), decimalScale(b))
  return writeUnits(toUnits(a, scale) + toUnits(b, scale), scale)
}

/** a - b, exactly, with the larger of the two scales. */
export function subtractDecimals(a: DecimalText, b: DecimalText): DecimalText {
  const scale = Math.max(decimalScale(a), decimalScale(b))
  return writeUnits(toUnits(a, scale) - toUnits(b, scale), scale)
}

/** a * b, exactly, with the sum of the two scales, like PostgreSQL's numeric. */
export function multiplyDecimals(a: DecimalText, b: DecimalText): DecimalText {
  const [left, right] = [decimalScale(a), decimalScale(b)]
  return writeUnits(toUnits(a, left) * toUnits(b, right), left + right)
}

/** -value; zero stays unsigned. */
export function negateDecimal(value: DecimalText): DecimalText {
  if (value.charCodeAt(0) === 45) return value.slice(1) as DecimalText
  return (isZeroDecimal(value) ? value : `-${value}`) as DecimalText
}

/** -1, 0 or 1 by value: `1.0` equals `1`. */
export function compareDecimals(a: DecimalText, b: DecimalText): -1 | 0 | 1 {
  if (a === b) return 0
  const scale = Math.max(decimalScale(a), decimalScale(b))
  const [left, right] = [toUnits(a, scale), toUnits(b, scale)]
  return left < right ? -1 : left > right ? 1 : 0
}

/** Whether the value is zero, at any scale. */
export function isZeroDecimal(value: DecimalText): boolean {
  return !/[1-9]/.test(value)
}

/** The amount without its sign. */
export function toSize(value: DecimalText): DecimalText {
  return isNegativeDecimal(value) ? negateDecimal(value) : value
}

/** Without trailing zeros: `19.00` and `19` are one rate. */
export function toPlainDecimal(value: DecimalText): DecimalText {
  return (value.includes('.') ? value.replace(/\.?0+$/, '') : value) as DecimalText
}

export function isNegativeDecimal(value: DecimalText): boolean {
  return value.charCodeAt(0) === 45
}

/** The exact sum, with the largest scale in the list; `0` for an empty list. */
export function sumDecimals(values: readonly DecimalText[]): DecimalText {
  const scale = values.reduce((most, value) => Math.max(most, decimalScale(value)), 0)
  return writeUnits(
    values.reduce((sum, value) => sum + toUnits(value, scale), 0n),
    scale,
  )
}

/**
 * The value with exactly `digits` decimals (0 or more), rounded half away from zero: 0.125 -> 0.13,
 * -0.125 -> -0.13.
 */
export function roundHalfAwayFromZero(value: DecimalText, digits: number): DecimalText {
  const scale = decimalScale(value)
  const units = toUnits(value, Math.max(scale, digits))
  if (scale <= digits) return writeUnits(units, digits)
  const divisor = 10n ** BigInt(scale - digits)
  const half = divisor / 2n
  // a division of whole numbers drops the rest, toward zero
  return writeUnits((units < 0n ? units - half : units + half) / divisor, digits)
}
