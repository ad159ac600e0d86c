/** How long a sync holds on, waits and tries; all in milliseconds. Tests pass shorter ones. */
export type SyncTiming = {
  /** How long a run stays with a worker that has stopped answering. Renewed by each page and by a heartbeat at a third of it. */
  leaseMs: number
  /** Tries of one page within a run before the run is put off. */
  triesPerPage: number
  /** Pauses between tries of a page: full jitter up to base * 2^n, at most the cap. */
  retryBaseMs: number
  retryCapMs: number
  /** Pauses between a worker's tries of a run that makes no progress: the same, on another scale. */
  postponeBaseMs: number
  postponeCapMs: number
  /** Tries of a run without one committed page in between before it fails. */
  maxAttempts: number
  /** The same for workers that were killed, which says less about the run. */
  maxTakes: number
}

export const SYNC_TIMING: SyncTiming = {
  leaseMs: 20_000,
  triesPerPage: 6,
  retryBaseMs: 500,
  retryCapMs: 15_000,
  postponeBaseMs: 20_000,
  postponeCapMs: 600_000,
  maxAttempts: 6,
  maxTakes: 20,
}

/** A pause before try `n` + 1 (n from 1): evenly random up to an exponentially growing ceiling ("full jitter"). */
export function backoffMs(n: number, baseMs: number, capMs: number, random: () => number = Math.random): number {
  return Math.round(random() * Math.min(capMs, baseMs * 2 ** (n - 1)))
}
