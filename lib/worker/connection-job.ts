/** Connections that are being disconnected or connected again: the worker alone can open their tokens. */
import { claimDisconnect, workOnDisconnect } from '../connections/disconnect-work.ts'
import { destroyStaleCandidates } from '../connections/reconnect-settle.ts'
import { checkCandidate, claimCandidate } from '../connections/reconnect-work.ts'
import { withSystemSql } from '../db/tenant.ts'
import { log } from '../log.ts'

/** Does everything that is due now, one after the other, until nothing is left or `signal` fires. */
export async function runConnectionWork(signal: AbortSignal): Promise<void> {
  await withSystemSql(destroyStaleCandidates)
  for (;;) {
    for (let next = await take(signal, claimCandidate); next !== null; next = await take(signal, claimCandidate))
      await checkCandidate(next)
    // one at a time: a large deletion comes back in turns, and whoever reconnects meanwhile does not wait for its end
    const wish = await take(signal, claimDisconnect)
    if (wish === null) return
    await workOnDisconnect(wish, signal)
  }
}

async function take<T>(signal: AbortSignal, claim: () => Promise<T | null>): Promise<T | null> {
  return signal.aborted ? null : claim()
}

export type ConnectionWork = {
  /** Looks for work that is due; calls that come meanwhile lead to one more look. */
  wake: () => void
  /** Takes up no more work; resolves when what is in hand is stored. */
  stop: () => Promise<void>
}

/** Runs this worker's part of it beside its syncs. Any number of workers may: each piece of work has one holder. */
export function startConnectionWork(): ConnectionWork {
  const stopping = new AbortController()
  let isWaiting = false
  let turns: Promise<unknown> = Promise.resolve()
  return {
    wake: () => {
      if (isWaiting) return
      isWaiting = true
      turns = turns
        .then(() => {
          isWaiting = false
          return runConnectionWork(stopping.signal)
        })
        .catch((thrown: unknown) => {
          // what was in hand is taken up again when its hold has run out
          log.warn({ reason: thrown instanceof Error ? thrown.message : String(thrown) }, 'connection work interrupted')
        })
    },
    stop: async () => {
      stopping.abort()
      await turns
    },
  }
}
