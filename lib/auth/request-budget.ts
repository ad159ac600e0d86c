/**
 * Counts the requests of each person and each network against the budgets of request-kinds.ts
 * (reliability A18): token buckets in this process.
 */
import { type BoundedMap, createBoundedMap } from '#lib/bounded-map.ts'
import { settings } from '#lib/env.ts'
import { hashText } from '#lib/hash-text.ts'
import type { UserId } from '#lib/ids.ts'
import { type Budget, type CountedKind, PEOPLE_OF_A_NETWORK, REQUEST_KINDS } from './request-kinds.ts'

/** `tokens` were there at the time `at`, in milliseconds. */
export type TokenBucket = { tokens: number; at: number }

/**
 * Takes one token of a bucket that fills up again evenly; a bucket not seen before is full. Returns
 * the bucket as it is now, and the whole seconds until there is a token: 0 when one was taken.
 */
export function takeToken(bucket: TokenBucket | undefined, { burst, perMinute }: Budget, at: number) {
  const perMs = perMinute / 60_000
  const since = bucket === undefined ? 0 : Math.max(0, at - bucket.at)
  const tokens = bucket === undefined ? burst : Math.min(burst, bucket.tokens + since * perMs)
  const left = tokens >= 1 ? tokens - 1 : tokens
  return { bucket: { tokens: left, at }, waitSeconds: tokens >= 1 ? 0 : Math.ceil((1 - tokens) / perMs / 1000) }
}

/** About 2 MB. Somebody forgotten starts with a full bucket. */
const MOST_BUCKETS = 10_000

type Counts = {
  buckets: BoundedMap<TokenBucket>
  people: BoundedMap<UserId>
}

// one value, however many copies of this module the web server's bundles hold
const holder = globalThis as { tieoutRequestCounts?: Counts }

function counts(): Counts {
  holder.tieoutRequestCounts ??= { buckets: createBoundedMap(MOST_BUCKETS), people: createBoundedMap(MOST_BUCKETS) }
  return holder.tieoutRequestCounts
}

type Sender = { userId: UserId; network: string }

/**
 * Counts a request, and returns how many seconds its sender has to wait; 0 when it may go on. One
 * that is refused counts neither for the person nor for the network: who sends too much does not
 * use up what colleagues in the same network have.
 */
export function countRequest(kind: CountedKind, { userId, network }: Sender, now: Date): number {
  const { burst, perMinute } = REQUEST_KINDS[kind].budget
  const { buckets } = counts()
  const person = settings().requestBudgetFactor
  const asked = [
    { key: `${kind} person ${userId}`, times: person },
    { key: `${kind} network ${network}`, times: person * PEOPLE_OF_A_NETWORK },
  ].map(({ key, times }) => {
    const budget = { burst: burst * times, perMinute: perMinute * times }
    return { key, ...takeToken(buckets.get(key), budget, now.getTime()) }
  })
  const waitSeconds = Math.max(...asked.map((each) => each.waitSeconds))
  if (waitSeconds === 0) for (const { key, bucket } of asked) buckets.set(key, bucket)
  return waitSeconds
}

/**
 * Remembers whose session a cookie is, so that a page's request is counted before the page is made.
 */
export function rememberPerson(sessionCookie: string, userId: UserId): void {
  counts().people.set(hashText(sessionCookie), userId)
}

/** The person of a session's cookie if a request with it was answered before, or null. */
export function recallPerson(sessionCookie: string): UserId | null {
  return counts().people.get(hashText(sessionCookie)) ?? null
}
