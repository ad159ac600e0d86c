/**
 * How often something may be done: a bucket that each try fills a little, and time empties evenly.
 * Pure; whoever counts keeps the bucket, in the database or in the process (decision 045).
 */

/**
 * `free` tries need no wait, and each `stepSeconds` forgets one. Beyond the free ones a try waits
 * one second, the next twice as long as the one before, up to a step; or, where waits are even,
 * until the free ones have room.
 */
export type Limit = { free: number; stepSeconds: number; areWaitsEven?: true }

/** The tries that counted at the last one, and how long ago that was; an empty one at first. */
export type Bucket = { level: number; ageSeconds: number }

/** More than rounding can take from a whole try, and nothing beside one. */
const ROUNDING = 1e-9

/** What a bucket holds by now, with `tries` that were let through without asking it. */
export function fill({ level, ageSeconds }: Bucket, { stepSeconds }: Limit, tries: number): number {
  return Math.max(0, level - Math.max(0, ageSeconds) / stepSeconds) + tries
}

/**
 * Takes up to `wanted` tries. Returns how many, the level with them, and, if there was none, the
 * seconds until the next may be. Waits that double count from the last try that was taken, so there
 * a refusal must not be stored. A clock set back neither adds tries nor forgets any.
 */
export function takeFrom({ level, ageSeconds }: Bucket, limit: Limit, wanted = 1) {
  const { free, stepSeconds, areWaitsEven = false } = limit
  const age = Math.max(0, ageSeconds)
  const now = fill({ level, ageSeconds }, limit, 0)
  // a try counts until it is wholly forgotten: five at once are five, even with moments between
  const room = Math.floor(free - now + ROUNDING)
  const untilRoom = (now - free + 1 - ROUNDING / 2) * stepSeconds
  const wait = areWaitsEven ? untilRoom : Math.min(2 ** -room, stepSeconds) - age
  const waitSeconds = room > 0 ? 0 : Math.max(0, wait)
  const taken = waitSeconds > 0 ? 0 : Math.max(1, Math.min(wanted, room))
  return { taken, waitSeconds, level: now + taken }
}
