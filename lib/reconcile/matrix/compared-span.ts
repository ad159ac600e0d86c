import { type Day, parseDay } from '../day.ts'
import { findPeriod, parsePeriod, periodBefore } from '../period.ts'

/** What figures of some days are compared with: the days just before them, or a year before. */
export const COMPARISONS = ['none', 'before', 'year'] as const
export type Comparison = (typeof COMPARISONS)[number]

type Span = { from: Day; to: Day }

const DAY_MS = 86_400_000

/**
 * The days to compare with. Before a whole period (a month, a quarter, a year) comes the period of
 * the same kind; before other days, as many days. A year before the 29th of February is the 28th.
 * Null without a comparison, for an open or an empty span, and beyond the calendar.
 */
export function toComparedSpan(from: Day | null, to: Day | null, comparison: Comparison): Span | null {
  if (comparison === 'none' || from === null || to === null || from > to) return null
  const period = findPeriod(from, to)
  if (comparison === 'year') return toYearBefore(from, to)
  if (period !== null) return toSpan(periodBefore(period).from, periodBefore(period).to)
  const [first, last] = [Date.parse(from), Date.parse(to)]
  return toSpan(toText(first - (last - first) - DAY_MS), toText(first - DAY_MS))
}

function toYearBefore(from: Day, to: Day): Span | null {
  const period = findPeriod(from, to)
  const text = period?.text.replace(/\d{4}/, (year) => String(Number(year) - 1).padStart(4, '0'))
  const same = text === undefined ? null : parsePeriod(text)
  // the last of a month stays the last: February has two
  if (same !== null) return toSpan(same.from, same.to)
  const move = (day: Day) =>
    `${String(Number(day.slice(0, 4)) - 1).padStart(4, '0')}${day.slice(4) === '-02-29' ? '-02-28' : day.slice(4)}`
  return toSpan(move(from), move(to))
}

function toText(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

function toSpan(from: string, to: string): Span | null {
  const span = { from: parseDay(from), to: parseDay(to) }
  return span.from === null || span.to === null ? null : { from: span.from, to: span.to }
}
