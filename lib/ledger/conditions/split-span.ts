import { type Day, parseDay } from '#lib/reconcile/day.ts'

/** Days inclusive; null = open end. */
type Span = { from: Day | null; to: Day | null }

/** `sign`: +1 adds these days to the whole tens, -1 subtracts them. */
type SpanEnd = { from: Day; to: Day; sign: 1 | -1 }

/** Whole tens of days, and the days at each end to add or subtract. */
export type SplitSpan = { whole: Span; ends: SpanEnd[] }

/**
 * Splits a span so that its ends have as few days as possible, at most five each. Null if sums of
 * ten days gain nothing, and for a span that is empty.
 */
export function splitSpan({ from, to }: Span): SplitSpan | null {
  if (from !== null && to !== null && from > to) return null
  const [first, last] = [from === null ? null : toBegin(from), to === null ? null : toEnd(to)]
  const whole = { from: first?.day ?? null, to: last?.day ?? null }
  if (whole.from !== null && whole.to !== null && whole.from > whole.to) return null
  // the calendar's first and last days have no others beside them
  if ([whole.from, whole.to].some((day) => day !== null && parseDay(day) === null)) return null
  return { whole, ends: [first, last].flatMap((each) => each?.end ?? []) }
}

/** The months that a span begins and ends in, whole. An open end stays open. */
export function toWholeMonths({ from, to }: Span): Span {
  return { from: from && (`${from.slice(0, 8)}01` as Day), to: to && lastOfMonth(to) }
}

/** Whether a span begins and ends with a month; an open end does. */
export function isWholeMonths(span: Span): boolean {
  const whole = toWholeMonths(span)
  return span.from === whole.from && span.to === whole.to
}

type Edge = { day: Day; end: SpanEnd | null }

/** The day on which the first ten days begin that count whole. */
function toBegin(from: Day): Edge {
  const ten = toTenDays(from)
  if (from === ten.from) return { day: from, end: null }
  return ten.before < ten.after + 1
    ? { day: ten.from, end: { from: ten.from, to: move(from, -1), sign: -1 } }
    : { day: move(ten.to, 1), end: { from, to: ten.to, sign: 1 } }
}

/** The day on which the last ones end. */
function toEnd(to: Day): Edge {
  const ten = toTenDays(to)
  if (to === ten.to) return { day: to, end: null }
  return ten.after < ten.before + 1
    ? { day: ten.to, end: { from: move(to, 1), to: ten.to, sign: -1 } }
    : { day: move(ten.from, -1), end: { from: ten.from, to, sign: 1 } }
}

/**
 * The days that a roll-up sums up with this one, as `to_ten_days` does (migration
 * ten_day_roll_ups): ten, and the last of a month eight to eleven. `before` and `after` count the
 * others.
 */
function toTenDays(day: Day): { from: Day; to: Day; before: number; after: number } {
  const number = Number(day.slice(8))
  const first = Math.min(Math.floor((number - 1) / 10), 2) * 10 + 1
  const from = move(day, first - number)
  const to = first === 21 ? lastOfMonth(day) : move(from, 9)
  return { from, to, before: number - first, after: Number(to.slice(8)) - number }
}

function lastOfMonth(day: Day): Day {
  return toDay(Number(day.slice(0, 4)), Number(day.slice(5, 7)) + 1, 0)
}

function move(day: Day, days: number): Day {
  return toDay(Number(day.slice(0, 4)), Number(day.slice(5, 7)), Number(day.slice(8)) + days)
}

/** As `Date` takes them: day 0 is the last of the month before. */
function toDay(year: number, month: number, day: number): Day {
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  return date.toISOString().slice(0, 10) as Day
}
