/**
 * How long something has to wait that has been tried a number of times: some tries are free, then
 * each waits twice as long as the one before it. Pure; sign-in-throttle.ts keeps the buckets in the
 * database.
 */

/**
 * `free` tries without a wait. One try is forgotten every `stepSeconds`, and no wait is longer than
 * that.
 */
export type Limit = { free: number; stepSeconds: number }

/**
 * What is kept of a bucket: the tries that counted when the last one was counted, and how long ago
 * that was.
 */
export type Bucket = { level: number; ageSeconds: number }

/** The tries that count now: those that were counted, less what has been forgotten since. */
export function toLevel({ level, ageSeconds }: Bucket, { stepSeconds }: Limit): number {
  return Math.max(0, level - Math.max(0, ageSeconds) / stepSeconds)
}

/** Seconds until the next try may be made; 0 when it may be made now. */
export function toWaitSeconds(bucket: Bucket, limit: Limit): number {
  // a try counts until it is wholly forgotten: five at once are five, although time has passed
  // between them
  const tries = Math.ceil(toLevel(bucket, limit))
  if (tries < limit.free) return 0
  const wait = Math.min(2 ** (tries - limit.free), limit.stepSeconds)
  return Math.max(0, wait - Math.max(0, bucket.ageSeconds))
}
