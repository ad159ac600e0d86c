/**
 * Makes the budgets of requests those of all web servers together (decision 070): every second each
 * adds what it let through to the database's counts, and goes on with what all have let through.
 */
import { log } from '#lib/log.ts'
import { setShared, takeUnshared } from './request-budget.ts'
import { toThrottleHash } from './sign-in-throttle.ts'
import { addTries } from './throttle.ts'

/** Within it, several web servers may let through a burst each. It counts, and is waited for. */
const SHARE_EVERY_MS = 1_000

/** Shares the counts of this process from now on; the timer keeps no process alive. */
export function beginSharingCounts(): void {
  setTimeout(() => shareCounts().finally(beginSharingCounts), SHARE_EVERY_MS).unref()
}

/**
 * Shares what was asked since the last time. Where the database does not answer, this process goes
 * on with its own count: who waits for the database waits longer than for a budget.
 */
export async function shareCounts(): Promise<void> {
  const asked = [...takeUnshared()]
  if (asked.length === 0) return
  const counted = asked.map(([, { who, limit, tries }]) => {
    const name = who.of === 'network' ? toThrottleHash('network', who.name) : who.name
    return { key: `${who.kind} ${who.of} ${name}`, limit, tries }
  })
  try {
    const levels = await addTries(counted)
    for (const [at, [key]] of asked.entries()) setShared(key, levels[at] as number, new Date())
  } catch (thrown) {
    log.warn(
      { reason: thrown instanceof Error ? thrown.message : String(thrown) },
      'budgets of requests are not shared',
    )
  }
}
