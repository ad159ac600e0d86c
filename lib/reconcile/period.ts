import { type Day, parseDay } from './day.ts'

/**
 * A year, a quarter or a month of the calendar, or a fiscal year, which may begin with any month;
 * from its first day to its last.
 */
export type Period = {
  /** As an address has it: `2026`, `2026-Q4`, `2026-11`, `FY2026-04` from April 2026 on. */
  text: string
  kind: 'year' | 'quarter' | 'month' | 'fiscal'
  from: Day
  to: Day
}

const PERIOD = /^(\d{4})(?:-Q([1-4])|-(\d{2}))?$/
const FISCAL = /^FY(\d{4})-(\d{2})$/
const MONTHS_OF = { year: 12, quarter: 3, month: 1, fiscal: 12 }

/** The period written as in an address; null for any other text, and for years before 1900. */
export function parsePeriod(text: string): Period | null {
  const [, fiscalYear, first] = FISCAL.exec(text) ?? []
  if (fiscalYear !== undefined) return toMonths('fiscal', Number(fiscalYear), Number(first))
  const [, year, quarter, month] = PERIOD.exec(text) ?? []
  if (year === undefined || Number(year) < 1900) return null
  if (quarter !== undefined) return toPeriod('quarter', Number(year), (Number(quarter) - 1) * 3)
  if (month === undefined) return toPeriod('year', Number(year), 0)
  return toMonths('month', Number(year), Number(month))
}

function toMonths(kind: 'month' | 'fiscal', year: number, month: number): Period | null {
  return year >= 1900 && month >= 1 && month <= 12 ? toPeriod(kind, year, month - 1) : null
}

/** The period of exactly these days; null if there is none. */
export function findPeriod(from: Day | null, to: Day | null): Period | null {
  if (from === null || to === null) return null
  const [year, month] = [from.slice(0, 4), from.slice(5, 7)]
  const texts = [year, `${year}-Q${Math.ceil(Number(month) / 3)}`, `${year}-${month}`, `FY${year}-${month}`]
  const found = texts.map(parsePeriod).find((period) => period?.from === from && period.to === to)
  return found ?? null
}

/** The period of the same kind that ends the day before. */
export function periodBefore({ kind, from }: Period): Period {
  return shift({ kind, from }, -1)
}

/** The period of the same kind that begins the day after. */
export function periodAfter({ kind, from }: Period): Period {
  return shift({ kind, from }, 1)
}

function shift({ kind, from }: Pick<Period, 'kind' | 'from'>, by: 1 | -1): Period {
  return toPeriod(kind, Number(from.slice(0, 4)), Number(from.slice(5, 7)) - 1 + by * MONTHS_OF[kind])
}

/** What a person sees who has not chosen: this quarter. */
export function defaultPeriod(today: Day): Period {
  return currentPeriod('quarter', today, 1)
}

/**
 * The periods that people ask for most: this and the last month, quarter and year, and fiscal year
 * where it does not begin in January. `fiscalMonth`: 1 to 12, its first.
 */
export function listUsualPeriods(today: Day, fiscalMonth = 1): Period[] {
  const kinds = ['month', 'quarter', 'year', ...(fiscalMonth === 1 ? [] : (['fiscal'] as const))] as const
  return kinds.flatMap((kind) => {
    const current = currentPeriod(kind, today, fiscalMonth)
    return [current, periodBefore(current)]
  })
}

function currentPeriod(kind: Period['kind'], today: Day, fiscalMonth: number): Period {
  const [year, month] = [Number(today.slice(0, 4)), Number(today.slice(5, 7)) - 1]
  const sinceFirst = kind === 'fiscal' ? (month - (fiscalMonth - 1) + 12) % 12 : month % MONTHS_OF[kind]
  return toPeriod(kind, year, month - sinceFirst)
}

/** `month`: 0 is January; -1 the December before. */
function toPeriod(kind: Period['kind'], year: number, month: number): Period {
  const first = new Date(Date.UTC(year, month, 1))
  const last = new Date(Date.UTC(year, month + MONTHS_OF[kind], 0))
  const [from, to] = [first, last].map((each) => parseDay(each.toISOString().slice(0, 10))) as [Day, Day]
  const quarter = Math.floor(first.getUTCMonth() / 3) + 1
  const text = {
    year: from.slice(0, 4),
    quarter: `${from.slice(0, 4)}-Q${quarter}`,
    month: from.slice(0, 7),
    fiscal: `FY${from.slice(0, 7)}`,
  }[kind]
  return { text, kind, from, to }
}
