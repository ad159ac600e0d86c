const DAY = /^(\d{4})-(\d{2})-(\d{2})$/
const DAY_MS = 86_400_000

/** True for a day that exists in the calendar, written YYYY-MM-DD; false for 2026-02-30. */
export function isRealDay(text: string): boolean {
  const match = DAY.exec(text)
  if (!match) return false
  const ms = Date.UTC(Number(match[1]), Number(match[2]) - 1, Number(match[3]))
  return new Date(ms).toISOString().slice(0, 10) === text
}

/** The day `days` later (or earlier when negative). */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)
}

/** The last day of the month `monthOffset` months after 2025-12. */
export function monthEnd(monthOffset: number): string {
  return new Date(Date.UTC(2025, 12 + monthOffset, 0)).toISOString().slice(0, 10)
}
