/**
 * Connections that are being disconnected or connected again: the worker alone can open their
 * tokens.
 */
import { claimDisconnect, workOnDisconnect } from '#lib/connections/life/disconnect-work.ts'
import { destroyStaleCandidates } from '#lib/connections/life/reconnect-settle.ts'
import { checkCandidate, claimCandidate } from '#lib/connections/life/reconnect-work.ts'
import { withSystemSql } from '#lib/db/tenant.ts'

/**
 * Does everything that is due now, one after the other, until nothing is left or `signal` fires.
 * Any number of workers may: each piece of work has one holder, and is taken up again when its hold
 * has run out.
 */
export async function runConnectionWork(signal: AbortSignal): Promise<void> {
  await withSystemSql(destroyStaleCandidates)
  for (;;) {
    for (let next = await take(signal, claimCandidate); next !== null; next = await take(signal, claimCandidate))
      await checkCandidate(next)
    // one at a time: a large deletion comes back in turns, and whoever reconnects meanwhile does
    // not wait for its end
    const wish = await take(signal, claimDisconnect)
    if (wish === null) return
    await workOnDisconnect(wish, signal)
  }
}

async function take<T>(signal: AbortSignal, claim: () => Promise<T | null>): Promise<T | null> {
  return signal.aborted ? null : claim()
}
