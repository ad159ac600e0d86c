/**
 * Counts the requests of each person and each network against the budgets of request-kinds.ts
 * (reliability A18): buckets in this process, so that a click costs the database nothing. What they
 * count is shared with the other web servers soon after (share-counts.ts).
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
  /** What was asked since the counts were last shared. */
  unshared: Map<string, Unshared>
}

/** Of whom, with which limit, and how many tries went on; none where all had to wait. */
type Unshared = { who: { kind: CountedKind; of: 'person' | 'network'; name: string }; limit: Limit; tries: number }

const counts = () =>
  processWide<Counts>('tieoutRequestCounts', () => ({
    buckets: createBoundedMap(MOST_BUCKETS),
    people: createBoundedMap(MOST_BUCKETS),
    unshared: new Map(),
  }))

type Sender = { userId: UserId; network: string }

/**
 * Counts a request, and returns how many whole seconds its sender has to wait; 0 when it may go on.
 * One that is refused counts neither for the person nor for the network: who sends too much does
 * not use up what colleagues in the same network have.
 */
export function countRequest(kind: CountedKind, { userId, network }: Sender, now: Date): number {
  const { burst, perMinute } = REQUEST_KINDS[kind].budget
  const { buckets, unshared } = counts()
  const person = settings().requestBudgetFactor
  const senders = [
    { of: 'person', name: userId, times: person },
    { of: 'network', name: network, times: person * PEOPLE_OF_A_NETWORK },
  ] as const
  const asked = senders.map(({ of, name, times }) => {
    const key = `${kind} ${of} ${name}`
    const { level, at } = buckets.get(key) ?? { level: 0, at: now.getTime() }
    const limit: Limit = { free: burst * times, stepSeconds: 60 / (perMinute * times), areWaitsEven: true }
    const taken = takeFrom({ level, ageSeconds: (now.getTime() - at) / 1000 }, limit)
    return { key, who: { kind, of, name }, limit, ...taken }
  })
  const waitSeconds = Math.max(...asked.map((each) => each.waitSeconds))
  if (waitSeconds === 0) for (const { key, level } of asked) buckets.set(key, { level, at: now.getTime() })
  for (const { key, who, limit } of asked) {
    const tries = (unshared.get(key)?.tries ?? 0) + (waitSeconds === 0 ? 1 : 0)
    unshared.set(key, { who, limit, tries })
  }
  return Math.ceil(waitSeconds)
}

/** What was asked here since this was last called; it is given out once. */
export function takeUnshared(): Map<string, Unshared> {
  const taken = counts().unshared
  counts().unshared = new Map()
  return taken
}

/** Sets a count to that of all web servers, with what was asked here since it was given out. */
export function setShared(key: string, level: number, now: Date): void {
  const { buckets, unshared } = counts()
  buckets.set(key, { level: level + (unshared.get(key)?.tries ?? 0), at: now.getTime() })
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
