/**
 * Counts the requests of each person and each network against the budgets of request-kinds.ts
 * (reliability A18): buckets in this process.
 */
import { type BoundedMap, createBoundedMap } from '#lib/bounded-map.ts'
import { type Limit, takeFrom } from '#lib/bucket.ts'
import { settings } from '#lib/env.ts'
import { hashText } from '#lib/hash-text.ts'
import type { UserId } from '#lib/ids.ts'
import { processWide } from '#lib/process-wide.ts'
import { type CountedKind, PEOPLE_OF_A_NETWORK, REQUEST_KINDS } from './request-kinds.ts'

/** `level` counted at the time `at`, in milliseconds. */
type CountedAt = { level: number; at: number }

/** About 2 MB. Somebody forgotten starts anew. */
const MOST_BUCKETS = 10_000

type Counts = {
  buckets: BoundedMap<CountedAt>
  people: BoundedMap<UserId>
}

const counts = () =>
  processWide<Counts>('tieoutRequestCounts', () => ({
    buckets: createBoundedMap(MOST_BUCKETS),
    people: createBoundedMap(MOST_BUCKETS),
  }))

type Sender = { userId: UserId; network: string }

/**
 * Counts a request, and returns how many whole seconds its sender has to wait; 0 when it may go on.
 * One that is refused counts neither for the person nor for the network: who sends too much does
 * not use up what colleagues in the same network have.
 */
export function countRequest(kind: CountedKind, { userId, network }: Sender, now: Date): number {
  const { burst, perMinute } = REQUEST_KINDS[kind].budget
  const { buckets } = counts()
  const person = settings().requestBudgetFactor
  const asked = [
    { key: `${kind} person ${userId}`, times: person },
    { key: `${kind} network ${network}`, times: person * PEOPLE_OF_A_NETWORK },
  ].map(({ key, times }) => {
    const { level, at } = buckets.get(key) ?? { level: 0, at: now.getTime() }
    const limit: Limit = { free: burst * times, stepSeconds: 60 / (perMinute * times), areWaitsEven: true }
    return { key, ...takeFrom({ level, ageSeconds: (now.getTime() - at) / 1000 }, limit) }
  })
  const waitSeconds = Math.max(...asked.map((each) => each.waitSeconds))
  if (waitSeconds === 0) for (const { key, level } of asked) buckets.set(key, { level, at: now.getTime() })
  return Math.ceil(waitSeconds)
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
