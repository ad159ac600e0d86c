// Runs in the browser: string work only, to ship no decimal library. Everything is written as the
// person who looks reads it (formats.ts); the examples are American.
import { currencyDigits } from './currency.ts'
import type { Day } from './day.ts'
import { currentFormats, NUMBER_FORMATS } from './formats.ts'
import type { DecimalText } from './money.ts'

const MINUS = '\u2212'
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

export type AmountOptions = {
  /** `always` writes `+` before an amount above zero, as for differences. Zero never has a sign. */
  sign?: 'negative' | 'always'
}

/**
 * An amount for the screen: `1,112,078.92`, `−48,700` (a real minus sign). Shows at least the
 * currency's decimals and every further significant digit; drops trailing zeros and rounds nothing.
 */
export function formatAmount(amount: DecimalText, currency: string, options: AmountOptions = {}): string {
  const { sign, integer, fraction } = splitAmount(amount, currencyDigits(currency))
  const mark = sign === '-' ? MINUS : sign === '+' && options.sign === 'always' ? '+' : ''
  return mark + groupThousands(integer) + fraction
}

/**
 * A bare figure for the screen, such as a quantity or a rate, without trailing zeros: `19.00` ->
 * `19`.
 */
export function formatNumber(value: DecimalText): string {
  const { sign, integer, fraction } = splitAmount(value, 0)
  return (sign === '-' ? MINUS : '') + groupThousands(integer) + fraction
}

/**
 * A whole count with thousands separators: `1,284`. Takes a number, a bigint, or database digits.
 */
export function formatCount(count: number | bigint | string): string {
  const text = String(count)
  return text.startsWith('-') ? MINUS + groupThousands(text.slice(1)) : groupThousands(text)
}

/** A day for the screen: `2026-03-04` -> `Mar 4, 2026`. */
export function formatDay(day: Day | string): string {
  const { date } = currentFormats()
  if (date === 'year-first') return day
  const [year, month = '', dayOfMonth = ''] = day.split('-')
  if (date === 'points') return `${dayOfMonth}.${month}.${year}`
  const name = MONTHS[Number(month) - 1]
  return date === 'day-first' ? `${Number(dayOfMonth)} ${name} ${year}` : `${name} ${Number(dayOfMonth)}, ${year}`
}

/** Two days of a span, said once what they share: `Jan 1 to Mar 31, 2026`. */
export function formatDays(from: Day, to: Day): string {
  const [first, last] = [formatDay(from), formatDay(to)]
  const year = from.slice(0, 4)
  if (from === to) return first
  if (year !== to.slice(0, 4) || first.startsWith(year)) return `${first} to ${last}`
  // `01.01. to 31.03.2026`: the point belongs to the month
  return `${first.slice(0, -4).replace(/,? $/, '')} to ${last}`
}

/** `Nov 2026`; takes a day of the month, or its `YYYY-MM`. */
export function formatMonth(day: string): string {
  return `${MONTHS[Number(day.slice(5, 7)) - 1]} ${day.slice(0, 4)}`
}

/** What stands before the decimals of an amount on the screen: `.`. */
export function decimalSign(): string {
  return NUMBER_FORMATS[currentFormats().number].decimal
}

function splitAmount(amount: DecimalText, minimumDigits: number) {
  const isNegative = amount.startsWith('-')
  const [integer = '0', decimals = ''] = (isNegative ? amount.slice(1) : amount).split('.')
  const kept = decimals.replace(/0+$/, '').padEnd(minimumDigits, '0')
  const isZero = !/[1-9]/.test(amount)
  const fraction = kept === '' ? '' : decimalSign() + kept
  return { sign: isZero ? '' : isNegative ? '-' : '+', integer, fraction }
}

const GROUPS = /\B(?=(\d{3})+$)/g
/** A thousand, then a hundred of it, and a hundred of that: `12,34,567`. */
const INDIAN_GROUPS = /\B(?=(\d{2})*\d{3}$)/g

function groupThousands(digits: string): string {
  const { group, isIndian } = NUMBER_FORMATS[currentFormats().number]
  return digits.replace(isIndian ? INDIAN_GROUPS : GROUPS, group)
}
