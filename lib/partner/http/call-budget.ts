/** A token bucket: how many calls may be made at once, and how fast they come back. */
export type CallBudget = { perSecond: number; burst: number }
export type Bucket = { tokens: number; at: Date }

/**
 * A budget of `perSecond` calls on average; after a rest, three seconds' worth at once. Null (no
 * budget) for 0.
 */
export function toCallBudget(perSecond: number): CallBudget | null {
  return perSecond <= 0 ? null : { perSecond, burst: perSecond * 3 }
}

/** More than rounding can take from a whole call, and nothing beside one. */
const ROUNDING = 1e-9

/**
 * Takes up to `wanted` calls from the bucket. Returns how many, the bucket left, and, if it took
 * none, the wait for the next. Over any T seconds it hands out at most burst + perSecond * T calls.
 */
export function takeCalls(
  bucket: Bucket,
  budget: CallBudget,
  wanted: number,
  now: Date,
): { taken: number; waitMs: number; bucket: Bucket } {
  const restMs = Math.max(0, now.getTime() - bucket.at.getTime())
  const tokens = Math.min(budget.burst, bucket.tokens + (restMs / 1000) * budget.perSecond)
  const taken = Math.min(wanted, Math.floor(tokens + ROUNDING))
  const waitMs = taken > 0 ? 0 : Math.ceil(((1 - tokens) / budget.perSecond) * 1000)
  return { taken, waitMs, bucket: { tokens: tokens - taken, at: now } }
}
