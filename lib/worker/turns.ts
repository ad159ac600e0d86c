import { log } from '../log.ts'

export type Turns = {
  /** Looks for work that is due; calls that come meanwhile lead to one more look. */
  wake: () => void
  /** Takes up no more work; resolves when what is in hand is stored. */
  stop: () => Promise<void>
}

/**
 * Work that a worker does beside its syncs: one turn at a time, when it is woken. A turn that fails is logged under `name`; what
 * it had in hand has to be found again by a later one.
 */
export function createTurns(name: string, work: (signal: AbortSignal) => Promise<unknown>): Turns {
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
          return work(stopping.signal)
        })
        .catch((thrown: unknown) =>
          log.warn({ reason: thrown instanceof Error ? thrown.message : String(thrown) }, `${name} interrupted`),
        )
    },
    stop: async () => {
      stopping.abort()
      await turns
    },
  }
}
