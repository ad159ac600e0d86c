// A clock's time in a reader's zone, as an instant.
import { toWall } from '../moment.ts'

const WALL = /^(\d{4}-\d{2}-\d{2})(?:T([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(\.\d{1,3})?)?)?$/

/**
 * The instant (ISO 8601, UTC) at which clocks of a zone show a day and time, `2026-11-14T09:12`; a
 * day alone begins at midnight. A time that a clock shows twice is the first; one that it skips is
 * as much later. Null for any other text.
 */
export function toInstant(text: string, timeZone: string): string | null {
  const [, day, hour = '00', minute = '00', second = '00', rest = ''] = WALL.exec(text) ?? []
  if (day === undefined) return null
  const asIfUtc = Date.parse(`${day}T${hour}:${minute}:${second}${rest}Z`)
  if (Number.isNaN(asIfUtc) || !new Date(asIfUtc).toISOString().startsWith(day)) return null
  // at most a day away, so that one of the two zones' offsets around it is the right one
  const offsets = [asIfUtc - 86_400_000, asIfUtc + 86_400_000].map((at) => toWall(at, timeZone).offsetMinutes)
  const candidates = offsets.map((minutes) => asIfUtc - minutes * 60_000)
  const shown = candidates.filter((at) => toWallText(at, timeZone) === toWallText(asIfUtc, 'UTC'))
  return new Date(Math.min(...(shown.length > 0 ? shown : [Math.max(...candidates)]))).toISOString()
}

/** What clocks of a zone show at an instant, to the second: `2026-11-14T09:12:00`. */
export function toWallText(at: string | number, timeZone: string): string {
  const { day, hour, minute, second } = toWall(at, timeZone)
  return `${day}T${String(hour).padStart(2, '0')}:${minute}:${second}`
}
