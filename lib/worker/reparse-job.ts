/** Reads rejected records again, in the worker, where no request holds their rows. */
import { isDatabaseTrouble } from '#lib/db/database-trouble.ts'
import { log } from '#lib/log.ts'
import { advanceReparse, failReparse, listOpenReparses, type ReparseWish } from '#lib/sync/reading/reparse-wishes.ts'

/**
 * One batch of each wish in turn, so a long one does not block the rest, until nothing is left or
 * `signal` fires. Any number of workers may run it: a batch has one holder.
 */
export async function runReparses(signal: AbortSignal): Promise<void> {
  let isWorking = true
  while (isWorking && !signal.aborted) {
    isWorking = false
    for (const wish of await listOpenReparses()) {
      if (signal.aborted) return
      if (await advance(wish)) isWorking = true
    }
  }
}

/** Ends a wish that fails, so it does not block the others. Its records stay as they were. */
async function advance(wish: ReparseWish): Promise<boolean> {
  try {
    return await advanceReparse(wish)
  } catch (thrown) {
    if (isDatabaseTrouble(thrown)) throw thrown
    log.error({ wish: wish.id, reason: thrown instanceof Error ? thrown.message : String(thrown) }, 'reparse failed')
    await failReparse(wish)
    return false
  }
}
