import { type Day, parseDay } from '#lib/reconcile/day.ts'

export type DatePreset = { label: string; from: Day; to: Day }

/** Common spans in finance, around a calendar day; `month` counts from 1. */
export function listDatePresets(year: number, month: number): DatePreset[] {
  const quarter = month - ((month - 1) % 3)
  return [
    span('This month', year, month, 1),
    span('Last month', year, month - 1, 1),
    span('This quarter', year, quarter, 3),
    span('Last quarter', year, quarter - 3, 3),
    span('This year', year, 1, 12),
    span('Last year', year - 1, 1, 12),
  ]
}

function span(label: string, year: number, firstMonth: number, months: number): DatePreset {
  return { label, from: toDay(year, firstMonth, 1), to: toDay(year, firstMonth + months, 0) }
}

/** Months and days overflow as in Date.UTC; UTC has no daylight saving time. */
function toDay(year: number, month: number, dayOfMonth: number): Day {
  const text = new Date(Date.UTC(year, month - 1, dayOfMonth)).toISOString().slice(0, 10)
  const day = parseDay(text)
  if (day === null) throw new RangeError(`No day: ${text}`)
  return day
}
