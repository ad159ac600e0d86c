// Runs in the browser: the server's words of a moment are the browser's words.
import type { Day } from './day.ts'
import { formatDay } from './format.ts'
import { currentFormats, type Formats } from './formats.ts'

/** A moment: ISO 8601, or milliseconds since 1970. */
type Moment = string | number

/** What a clock and a calendar show somewhere. */
type Wall = { day: Day; hour: number; minute: string; second: string; offsetMinutes: number }

/** A moment in the reader's zone: `Mar 4, 2026, 2:32:05 PM`; with its zone: `… UTC+1`. */
export function formatMoment(at: Moment, { withZone = false }: { withZone?: boolean } = {}): string {
  const formats = currentFormats()
  const wall = toWall(at, formats.timeZone)
  return `${formatDay(wall.day)}, ${toClock(wall, formats)}${withZone ? ` ${toZone(wall)}` : ''}`
}

/** A moment on the reader's clock: `2:32:05 PM`, `14:32:05`. */
export function formatTime(at: Moment): string {
  const formats = currentFormats()
  return toClock(toWall(at, formats.timeZone), formats)
}

/** The day of a moment in the reader's zone, for the screen. */
export function formatDayOf(at: Moment): string {
  return formatDay(toWall(at, currentFormats().timeZone).day)
}

/** How far the reader's zone is from UTC at a moment: `UTC+1`, `UTC−3:30`, `UTC`. @internal */
export function formatZone(at: Moment): string {
  return toZone(toWall(at, currentFormats().timeZone))
}

/** Twelve hours for who writes the month first, twenty-four for all others. */
function toClock({ hour, minute, second }: Wall, { date }: Formats): string {
  if (date !== 'month-first') return `${String(hour).padStart(2, '0')}:${minute}:${second}`
  return `${hour % 12 === 0 ? 12 : hour % 12}:${minute}:${second} ${hour < 12 ? 'AM' : 'PM'}`
}

function toZone({ offsetMinutes }: Wall): string {
  if (offsetMinutes === 0) return 'UTC'
  const size = Math.abs(offsetMinutes)
  const minutes = size % 60 === 0 ? '' : `:${String(size % 60).padStart(2, '0')}`
  return `UTC${offsetMinutes < 0 ? '\u2212' : '+'}${Math.floor(size / 60)}${minutes}`
}

/** What clock and calendar show in a zone of the IANA database, and how far it is from UTC then. */
export function toWall(at: Moment, timeZone: string): Wall {
  const moment = new Date(at)
  const parts = new Map(
    toFormat(timeZone)
      .formatToParts(moment)
      .map(({ type, value }) => [type, value]),
  )
  const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? ''
  const day = `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}` as Day
  const [hour, minute, second] = [part('hour'), part('minute'), part('second')]
  const asIfUtc = Date.parse(`${day}T${hour}:${minute}:00Z`)
  const offsetMinutes = Math.round((asIfUtc - Math.floor(moment.getTime() / 60_000) * 60_000) / 60_000)
  return { day, hour: Number(hour), minute, second, offsetMinutes }
}

const formatsOfZones = new Map<string, Intl.DateTimeFormat>()

/** Only figures, in one language: browsers and server may differ in words, never in these. */
function toFormat(timeZone: string): Intl.DateTimeFormat {
  const known = formatsOfZones.get(timeZone)
  if (known !== undefined) return known
  const made = makeFormat(timeZone)
  formatsOfZones.set(timeZone, made)
  return made
}

function makeFormat(timeZone: string): Intl.DateTimeFormat {
  const two = '2-digit' as const
  const fields = { year: 'numeric', month: two, day: two, hour: two, minute: two, second: two } as const
  try {
    return new Intl.DateTimeFormat('en-US', { ...fields, hourCycle: 'h23', timeZone })
  } catch {
    // a zone that the server knows and an old browser does not
    return new Intl.DateTimeFormat('en-US', { ...fields, hourCycle: 'h23', timeZone: 'UTC' })
  }
}
