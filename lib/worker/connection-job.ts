/** Connections being disconnected or reconnected: only the worker can open their tokens. */
import { claimDisconnect, workOnDisconnect } from '#lib/connections/life/disconnect-work.ts'
import { destroyStaleCandidates } from '#lib/connections/life/reconnect-settle.ts'
import { checkCandidate, claimCandidate } from '#lib/connections/life/reconnect-work.ts'
import { withSystemSql } from '#lib/db/tenant.ts'

/**
 * Does everything due now, one after another, until nothing is left or `signal` fires. Any number
 * of workers may run it: each piece of work has one holder, and another takes it when the hold runs
 * out.
 */
export async function runConnectionWork(signal: AbortSignal): Promise<void> {
  await withSystemSql(destroyStaleCandidates)
  for (;;) {
    for (let next = await take(signal, claimCandidate); next !== null; next = await take(signal, claimCandidate))
      await checkCandidate(next)
    // one at a time: a large deletion comes back in turns, and must not delay a reconnect
    const wish = await take(signal, claimDisconnect)
    if (wish === null) return
    await workOnDisconnect(wish, signal)
  }
}

async function take<T>(signal: AbortSignal, claim: () => Promise<T | null>): Promise<T | null> {
  return signal.aborted ? null : claim()
}
