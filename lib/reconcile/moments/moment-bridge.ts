/** What led from what stood at one moment to what stood at another, in one currency. Pure. */
import type { LineSum } from '../bridge.ts'
import { subtractDecimals, sumDecimals } from '../money.ts'

/**
 * Why a line counts at the one moment and not, or otherwise, at the other, in the order in which it
 * is told. A line is of one part, and of two where its currency changed: once in each.
 * - `new`: it came in between. `credited`: so did it, and its total is below zero: the product's
 *   word of a refund (a trip's cost says the same). A credit document's line above zero is new:
 *   what its sign means is not known (assumption 3).
 * - `changed`: the platform stated another total, or another currency.
 * - `gone`, `back`: the platform has it no longer, or again.
 * - `moved`: it is there at both, and is in what the bridge is of at one of them: another cost
 *   center, trip, profile or month.
 * - `proved`: the same money, of which the proof says something else.
 */
export const MOMENT_PARTS = ['new', 'credited', 'changed', 'gone', 'back', 'moved', 'proved'] as const
export type MomentPart = (typeof MOMENT_PARTS)[number]

export type MomentBridge = {
  currency: string
  start: LineSum
  /** Each with its effect: what is gone is below zero, what is proved anew is zero. */
  parts: Record<MomentPart, LineSum>
  end: LineSum
}

/** What is read of one currency. `joined`: how many more lines joined than left. */
export type MomentSums = {
  currency: string
  /** What the lines come to now. */
  now: LineSum
  /** What they come to now without what has happened since the later moment. */
  since: LineSum
  parts: Record<MomentPart, LineSum & { joined: number }>
}

/**
 * Reckons back from now, over what has happened since the later moment and over the parts between:
 * start + the parts = end, exactly.
 */
export function toMomentBridge({ currency, now, since, parts }: MomentSums): MomentBridge {
  const end = { count: now.count - since.count, amount: subtractDecimals(now.amount, since.amount) }
  const each = MOMENT_PARTS.map((part) => parts[part])
  const start = {
    count: end.count - each.reduce((sum, { joined }) => sum + joined, 0),
    amount: subtractDecimals(end.amount, sumDecimals(each.map(({ amount }) => amount))),
  }
  const told = MOMENT_PARTS.map((part) => [part, { count: parts[part].count, amount: parts[part].amount }])
  return { currency, start, parts: Object.fromEntries(told) as MomentBridge['parts'], end }
}
