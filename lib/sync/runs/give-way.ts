import { setTimeout as delay } from 'node:timers/promises'
import { withSystemSql } from '#lib/db/tenant.ts'
import { log } from '#lib/log.ts'

/** Who asked for something within this time is still here: a session notes it once a minute. */
const HERE_SECONDS = 120
/** How long an answer holds. */
const ASK_EVERY_MS = 5_000
/** Two of three moments are people's. */
const PAUSE_FACTOR = 2
/** The longest pause; a group of pages takes a tenth of a second. */
const LONGEST_PAUSE_MS = 1000

/**
 * Called after work that took so long; resolves when the work may go on, to whether somebody is
 * here. Never rejects.
 */
export type GiveWay = (workedMs: number) => Promise<boolean>

/** What it stands on: the database and the clock; tests pass others. */
type Around = {
  ask?: () => Promise<boolean>
  now?: () => number
  pause?: (ms: number, value: undefined, options: { signal: AbortSignal }) => Promise<unknown>
}

/** Whether anybody, of any organization, has asked the web server for something lately. */
export async function arePeopleHere(): Promise<boolean> {
  // the worker may read when a session was last used, and nothing else of it
  const [row] = await withSystemSql((sql) =>
    sql<{ isHere: boolean }>(
      `select coalesce(max(last_seen_at) > now() - interval '${HERE_SECONDS} seconds', false) as "isHere" from user_session`,
    ),
  )
  return row?.isHere === true
}

/**
 * Leaves two of three moments to people while somebody is here: pauses twice as long as the work
 * took. Asks at most every five seconds, and goes on when it cannot ask, or when `signal` is
 * aborted (docs/decisions/039-giving-way.md).
 */
export function createGiveWay(
  signal: AbortSignal,
  { ask = arePeopleHere, now = () => performance.now(), pause = delay }: Around = {},
): GiveWay {
  let isAnybodyHere = false
  let askedAt = Number.NEGATIVE_INFINITY
  return async (workedMs) => {
    if (now() - askedAt >= ASK_EVERY_MS) {
      askedAt = now()
      isAnybodyHere = await ask().catch((thrown: unknown) => {
        log.warn({ reason: String(thrown) }, 'who is here could not be read')
        return false
      })
    }
    if (!isAnybodyHere) return false
    // an aborted pause ends at once: the run says why it stops
    await pause(Math.min(workedMs * PAUSE_FACTOR, LONGEST_PAUSE_MS), undefined, { signal }).catch(() => undefined)
    return true
  }
}
