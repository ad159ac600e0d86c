import { addDecimals, type DecimalText, isZeroDecimal, subtractDecimals } from './money.ts'

/** A number of lines and the exact sum of their totals, in one currency. */
export type LineSum = { count: number; amount: DecimalText }

/**
 * The lines of one currency between a day and now:
 * stood + arrived + changed - removed = now, exactly, for the amounts.
 */
export type Bridge = {
  currency: string
  /** As that day began. */
  stood: LineSum
  /** First seen since, with the totals that they arrived with. */
  arrived: LineSum
  /** The sum of what totals went up or down; the count is of lines whose total changed. */
  changed: LineSum
  /** No longer on the platform, with their last totals. */
  removed: LineSum
  now: LineSum
}

/** What is read of one currency, all at one moment. */
export type BridgeParts = {
  currency: string
  now: LineSum
  /** Lines first seen since the day, as they are now or last were: also those removed again. */
  seen: LineSum
  changed: Effect
  /** The part of `changed` that is of lines in `seen`. */
  changedOfSeen: Effect
  removed: LineSum
}

/**
 * The sum of the differences of totals. A line whose currency changed leaves one currency and joins
 * another: `moved` is how many more joined this one than left it.
 */
export type Effect = LineSum & { moved: number }

/**
 * Reckons back from now. Nobody keeps what stood on each day; what happened since is kept, so the
 * equation cannot fail.
 */
export function toBridge({ currency, now, seen, changed, changedOfSeen, removed }: BridgeParts): Bridge {
  const arrived = {
    count: seen.count - changedOfSeen.moved,
    amount: subtractDecimals(seen.amount, changedOfSeen.amount),
  }
  const stood = {
    count: now.count - arrived.count - changed.moved + removed.count,
    amount: addDecimals(subtractDecimals(subtractDecimals(now.amount, arrived.amount), changed.amount), removed.amount),
  }
  return { currency, stood, arrived, changed: { count: changed.count, amount: changed.amount }, removed, now }
}

/** Whether nothing happened to the lines of the currency since the day. */
export function isQuiet({ arrived, changed, removed }: Bridge): boolean {
  return arrived.count + changed.count + removed.count === 0 && isZeroDecimal(changed.amount)
}

/** now - stood: what arrived, changed and was removed, in one figure. */
export function toNetChange({ now, stood }: Bridge): DecimalText {
  return subtractDecimals(now.amount, stood.amount)
}
