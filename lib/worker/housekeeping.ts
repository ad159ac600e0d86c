/**
 * What the worker does so that the database does not grow for ever: removes what nobody reads any
 * more.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { removeAttemptBatch } from '#lib/connections/tokens/remove-old-attempts.ts'
import { log } from '#lib/log.ts'
import { removePageBatch } from '#lib/sync/pages/remove-old-pages.ts'

/**
 * After each transaction: whatever else is to be done goes first, also on the first turn after an
 * upgrade.
 */
const REST_MS = 100

/**
 * One turn: batch by batch, until nothing is left or `signal` fires. A step that fails does not
 * keep the other from its work.
 */
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
        await pause(restMs, undefined, { signal }).catch(() => undefined) // told to stop: the loop sees it
      }
    } catch (thrown) {
      log.warn({ step, reason: thrown instanceof Error ? thrown.message : String(thrown) }, 'housekeeping failed')
    }
    if (removed > 0) log.info({ step, removed }, 'housekeeping')
  }
}
