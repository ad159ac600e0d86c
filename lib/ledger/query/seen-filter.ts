import { type Day, parseDay } from '#lib/reconcile/day.ts'
import { formatMoment } from '#lib/reconcile/moment.ts'

type Side = 'since' | 'before'

/** A moment as an address has it: ISO 8601 in UTC, to the millisecond. */
const MOMENT = /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/

/** What happened since a day began (UTC), or since a moment (ISO 8601, UTC), or before it. */
export function toSeenFilter(side: Side, at: Day | string): string {
  return `${side} ${at}`
}

/** What `toSeenFilter` wrote, with its moment; null for any other text. */
export function parseSeenFilter(text: string): { side: Side; from: string } | null {
  const [side, rest = ''] = text.split(' ')
  if (side !== 'since' && side !== 'before') return null
  const [moment, day = rest] = MOMENT.exec(rest) ?? []
  if (parseDay(day) === null) return null
  return { side, from: moment ?? `${day}T00:00:00.000Z` }
}

/** What is shown of it: a moment as the reader writes moments, everything else as it stands. */
export function toSeenWords(text: string): string {
  const [side, rest = ''] = text.split(' ')
  return parseSeenFilter(text) !== null && MOMENT.test(rest)
    ? `${side} ${formatMoment(rest, { withZone: true })}`
    : text
}
