declare const day: unique symbol

/** A calendar day, `YYYY-MM-DD`. It has no time and no zone, and sorts as text. */
export type Day = string & { readonly [day]: true }

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/
const DAYS_IN_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** The day written as `YYYY-MM-DD`; null for any other text or a day the calendar does not have. */
export function parseDay(text: string): Day | null {
  const match = DAY.exec(text)
  if (!match) return null
  const year = Number(match[1])
  const month = Number(match[2])
  const dayOfMonth = Number(match[3])
  // ISO 8601 has a year 0; invoices and PostgreSQL dates do not.
  if (year < 1 || month < 1 || month > 12 || dayOfMonth < 1) return null
  const isLeapDay = month === 2 && dayOfMonth === 29 && isLeapYear(year)
  return isLeapDay || dayOfMonth <= (DAYS_IN_MONTH[month - 1] ?? 0) ? (text as Day) : null
}

/** The day of a moment (milliseconds), in UTC. */
export function dayOf(moment: number): Day {
  return new Date(moment).toISOString().slice(0, 10) as Day
}

function isLeapYear(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
}
