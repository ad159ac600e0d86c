/** Removes what nobody reads any more, to keep the database from growing forever. */
import { setTimeout as pause } from 'node:timers/promises'
import { removeAttemptBatch } from '#lib/connections/tokens/remove-old-attempts.ts'
import { log } from '#lib/log.ts'
import { removePageBatch } from '#lib/sync/pages/remove-old-pages.ts'

/** Pause after each transaction: other work goes first, even right after an upgrade. */
const REST_MS = 100

/** One turn, in batches, until nothing is left or `signal` fires. Steps fail separately. */
export async function keepHouse(signal: AbortSignal, restMs = REST_MS): Promise<void> {
  const steps: Record<string, () => Promise<{ removed: number; isDone: boolean }>> = {
    pages: async () => {
      const { runs, pages } = await removePageBatch()
      return { removed: pages, isDone: runs === 0 }
    },
    attempts: async () => {
      const removed = await removeAttemptBatch()
      return { removed, isDone: removed === 0 }
    },
  }
  for (const [step, removeBatch] of Object.entries(steps)) {
    let removed = 0
    try {
      while (!signal.aborted) {
        const batch = await removeBatch()
        removed += batch.removed
        if (batch.isDone) break
        await pause(restMs, undefined, { signal }).catch(() => undefined) // on abort the loop ends
      }
    } catch (thrown) {
      log.warn({ step, reason: thrown instanceof Error ? thrown.message : String(thrown) }, 'housekeeping failed')
    }
    if (removed > 0) log.info({ step, removed }, 'housekeeping')
  }
}
