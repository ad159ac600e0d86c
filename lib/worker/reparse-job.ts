/** Reading rejected records again: the worker does it, so that no request holds their rows. */
import { isDatabaseTrouble } from '#lib/db/database-trouble.ts'
import { log } from '#lib/log.ts'
import { advanceReparse, failReparse, listOpenReparses, type ReparseWish } from '#lib/sync/reading/reparse-wishes.ts'

/**
 * One batch of each wish in turn, so that a long one keeps none waiting, until nothing is left or
 * `signal` fires. Any number of workers may: a batch has one holder.
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

/**
 * A wish that cannot be done is ended: it must not keep the others from being done, and its records
 * are where they were.
 */
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
