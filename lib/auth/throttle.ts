/**
 * How long the next try has to wait: some tries are free, then each waits twice as long as the one
 * before. Pure; sign-in-throttle.ts keeps the buckets in the database.
 */

/** `free` tries need no wait. Each `stepSeconds` forgets one try; no wait is longer than that. */
export type Limit = { free: number; stepSeconds: number }

/** What a bucket stores: the tries that counted at its last one, and how long ago that was. */
export type Bucket = { level: number; ageSeconds: number }

/** The tries that count now: the stored ones, less those forgotten since. */
export function toLevel({ level, ageSeconds }: Bucket, { stepSeconds }: Limit): number {
  return Math.max(0, level - Math.max(0, ageSeconds) / stepSeconds)
}

/** Seconds until the next try may be made; 0 when it may be made now. */
export function toWaitSeconds(bucket: Bucket, limit: Limit): number {
  // a try counts until wholly forgotten: five at once are five, even with moments between
  const tries = Math.ceil(toLevel(bucket, limit))
  if (tries < limit.free) return 0
  const wait = Math.min(2 ** (tries - limit.free), limit.stepSeconds)
  return Math.max(0, wait - Math.max(0, bucket.ageSeconds))
}
