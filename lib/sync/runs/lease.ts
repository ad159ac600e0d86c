import { log } from '#lib/log.ts'
import type { ClaimedRun } from '../model.ts'
import { renewLease } from './run-store.ts'
import { isFenced } from './sync-failure.ts'
import type { SyncTiming } from './timing.ts'

/** A worker's hold of a run. `takes`: how often it was taken up since its last committed page. */
export type Hold = { run: ClaimedRun; timing: SyncTiming; takes: number; now: () => Date }

export type HeldLease = {
  /** Aborted with the error once another worker, or nobody, holds the run. */
  lost: AbortSignal
  end: () => void
}

/** Keeps a run's lease fresh while its worker waits for the platform or applies a large page. */
export function holdLease(run: ClaimedRun, leaseMs: number): HeldLease {
  const lost = new AbortController()
  const timer = setInterval(() => {
    renewLease(run, leaseMs).catch((thrown: unknown) => {
      if (isFenced(thrown)) lost.abort(thrown)
      // an unreachable database does not end the run: its pages will notice, and the fence decides
      else log.warn({ run: run.id, reason: String(thrown) }, 'lease was not renewed')
    })
  }, leaseMs / 3)
  return { lost: lost.signal, end: () => clearInterval(timer) }
}
