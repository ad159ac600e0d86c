import { log } from '#lib/log.ts'

/** Work that a worker does in turns, beside its other work. */
export type RepeatedWork = {
  /** Asks for a turn; any number of calls during a turn lead to one more. */
  wake: () => void
  /** Takes no more turns and fires the signal; resolves when the turn in hand has ended. */
  stop: () => Promise<void>
}

/**
 * Calls `work` in turns, never two at once: when woken and, with `everyMs`, now and at that
 * interval, except when that falls in a turn. A turn that throws is logged under `name` and ends
 * only itself: the next one finds what it left.
 */
export function repeatWork(
  name: string,
  work: (signal: AbortSignal) => Promise<unknown>,
  everyMs?: number,
): RepeatedWork {
  const stopping = new AbortController()
  const { signal } = stopping
  let isWanted = false
  let isRunning = false
  let turns = Promise.resolve()

  async function takeTurns(): Promise<void> {
    isRunning = true
    while (isWanted && !signal.aborted) {
      isWanted = false
      try {
        await work(signal)
      } catch (thrown) {
        log.warn({ work: name, reason: thrown instanceof Error ? thrown.message : String(thrown) }, 'turn failed')
      }
    }
    // synchronous with the last check of isWanted, so no wish is lost in between
    isRunning = false
  }

  function wake(): void {
    isWanted = true
    if (!isRunning) turns = takeTurns()
  }

  const timer = everyMs === undefined ? undefined : setInterval(() => isRunning || wake(), everyMs)
  if (timer !== undefined) wake()
  return {
    wake,
    stop: async () => {
      clearInterval(timer)
      stopping.abort()
      await turns
    },
  }
}
