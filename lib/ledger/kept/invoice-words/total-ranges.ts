/** Which sizes the totals of an invoice's lines have, for searches such as `>5000`. */
import { compareDecimals, type DecimalText, toSize } from '#lib/reconcile/money.ts'
import type { AmountRange } from '../../query/search-terms.ts'

/** More would not fit beside the bits in a row that is read at once. */
const MOST_RANGES = 64

/** Sizes are told apart by hundredths, and those above it are one (the end of `int4`). */
const GREATEST = 2 ** 31 - 2
const GREATEST_SIZE = '21474836' as DecimalText

/** Any total: a literal of `int4multirange`. */
export const ALL_TOTALS = '{(,)}'

/**
 * The hundredths in which the totals lie, whatever their sign, as a literal of `int4multirange`. Of
 * many totals they are wider, never narrower: a total is always within.
 */
export function toTotalRanges(totals: readonly DecimalText[]): string {
  const keys = [...new Set(totals.map(toKey))].sort((a, b) => a - b)
  for (let step = 1; ; step *= 10) {
    const ranges = joinSteps(keys, step)
    if (ranges.length <= MOST_RANGES) return `{${ranges.map(([from, end]) => `[${from},${end})`).join()}}`
  }
}

/** The same of a searched range; its ends count. */
export function toSearchedRange({ from, to }: AmountRange): string {
  return `{[${from === null ? '' : toKey(from)},${to === null ? '' : toKey(to)}]}`
}

function joinSteps(keys: readonly number[], step: number): [from: number, end: number][] {
  const ranges: [from: number, end: number][] = []
  for (const key of keys) {
    const from = key - (key % step)
    const end = Math.min(from + step, GREATEST + 1)
    const last = ranges.at(-1)
    if (last !== undefined && last[1] >= from) last[1] = Math.max(last[1], end)
    else ranges.push([from, end])
  }
  return ranges
}

/** No amount, but the place of one among all sizes. */
function toKey(amount: DecimalText): number {
  const size = toSize(amount)
  if (compareDecimals(size, GREATEST_SIZE) >= 0) return GREATEST
  const [whole = '', fraction = ''] = size.split('.')
  return Number(whole + fraction.slice(0, 2).padEnd(2, '0'))
}
