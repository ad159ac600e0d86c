import { type Day, parseDay } from './day.ts'

/** A year, a quarter or a month of the calendar, from its first day to its last. */
export type Period = {
  /** As an address has it: `2026`, `2026-Q4`, `2026-11`. */
  text: string
  kind: 'year' | 'quarter' | 'month'
  from: Day
  to: Day
}

const PERIOD = /^(\d{4})(?:-Q([1-4])|-(\d{2}))?$/
const MONTHS_OF = { year: 12, quarter: 3, month: 1 }

/** The period written as in an address; null for any other text, and for years before 1900. */
export function parsePeriod(text: string): Period | null {
  const [, year, quarter, month] = PERIOD.exec(text) ?? []
  if (year === undefined || Number(year) < 1900) return null
  if (quarter !== undefined) return toPeriod('quarter', Number(year), (Number(quarter) - 1) * 3)
  if (month === undefined) return toPeriod('year', Number(year), 0)
  return Number(month) >= 1 && Number(month) <= 12 ? toPeriod('month', Number(year), Number(month) - 1) : null
}

/** The period of the same kind that ends the day before. */
export function periodBefore({ kind, from }: Period): Period {
  return toPeriod(kind, Number(from.slice(0, 4)), Number(from.slice(5, 7)) - 1 - MONTHS_OF[kind])
}

/** The periods that people ask for most: this and the last month, quarter and year. */
export function listUsualPeriods(today: Day): Period[] {
  const [year, month] = [Number(today.slice(0, 4)), Number(today.slice(5, 7)) - 1]
  return (['month', 'quarter', 'year'] as const).flatMap((kind) => {
    const current = toPeriod(kind, year, month - (month % MONTHS_OF[kind]))
    return [current, periodBefore(current)]
  })
}

/** Whether the period has the day; no period has a day that is not known. */
export function isInPeriod({ from, to }: Period, day: Day | null): boolean {
  return day !== null && day >= from && day <= to
}

/** `month`: 0 is January; -1 the December before. */
function toPeriod(kind: Period['kind'], year: number, month: number): Period {
  const first = new Date(Date.UTC(year, month, 1))
  const last = new Date(Date.UTC(year, month + MONTHS_OF[kind], 0))
  const [from, to] = [first, last].map((each) => parseDay(each.toISOString().slice(0, 10))) as [Day, Day]
  const quarter = Math.floor(first.getUTCMonth() / 3) + 1
  const text = { year: from.slice(0, 4), quarter: `${from.slice(0, 4)}-Q${quarter}`, month: from.slice(0, 7) }[kind]
  return { text, kind, from, to }
}
