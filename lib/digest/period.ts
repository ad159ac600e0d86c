/** When digests are due, on the clock and calendar of whoever gets them. Pure. */
import { type Day, dayOf } from '#lib/reconcile/day.ts'
import { toWall } from '#lib/reconcile/moment.ts'
import { DIGEST_HOUR, type Rhythm } from './model.ts'

const DAY_MS = 86_400_000
/** How far back a digest tells of news when there was none before. */
const LENGTHS = { daily: DAY_MS, weekly: 7 * DAY_MS } as const

/** A moment (milliseconds) at which a digest is due, and its day there. */
export type Slot = { day: Day; at: number }

/** The last moment up to `now` at which a digest was due in the zone. */
export function toLastSlot(rhythm: Exclude<Rhythm, 'off'>, timeZone: string, now: number): Slot {
  const today = toDay(timeZone, now)
  const first = rhythm === 'daily' ? today : addDays(today, -daysSinceMonday(today))
  const at = toMoment(first, DIGEST_HOUR, timeZone)
  if (at <= now) return { day: first, at }
  const day = addDays(first, rhythm === 'daily' ? -1 : -7)
  return { day, at: toMoment(day, DIGEST_HOUR, timeZone) }
}

/** The day of a moment in a zone. */
export function toDay(timeZone: string, now: number): Day {
  return toWall(now, timeZone).day
}

/** When the day of a moment began in a zone. */
export function toDayStart(timeZone: string, now: number): number {
  return toMoment(toDay(timeZone, now), 0, timeZone)
}

/** The moment since which there is news at `until`, when no digest has told of any. */
export function toFirstSince(rhythm: Rhythm, until: number): number {
  return until - LENGTHS[rhythm === 'weekly' ? 'weekly' : 'daily']
}

/** How many days lie between two days; below zero when `day` is before `than`. */
export function daysBetween(than: Day, day: Day): number {
  return Math.round((Date.parse(day) - Date.parse(than)) / DAY_MS)
}

/**
 * When a clock in the zone shows the hour on that day. Of an hour that comes twice, the first; of
 * one that is left out, when the clock jumps over it.
 */
function toMoment(day: Day, hour: number, timeZone: string): number {
  const asIfUtc = Date.parse(`${day}T${String(hour).padStart(2, '0')}:00:00Z`)
  const shift = (at: number) => asIfUtc - toWall(at, timeZone).offsetMinutes * 60_000
  // by the offsets a day before and after, one of which holds
  const shown = [shift(asIfUtc - DAY_MS), shift(asIfUtc + DAY_MS)].sort((a, b) => a - b)
  return shown.find((at) => shift(at) === at) ?? (shown[1] as number)
}

function addDays(day: Day, days: number): Day {
  return dayOf(Date.parse(day) + days * DAY_MS)
}

function daysSinceMonday(day: Day): number {
  return (new Date(day).getUTCDay() + 6) % 7
}
