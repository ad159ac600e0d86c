import type { CircuitRules } from '#lib/partner/http/circuit.ts'

/**
 * How long a sync holds on, waits and tries, in milliseconds, and how much it reads in one piece.
 * Tests pass other figures.
 */
export type SyncTiming = {
  /**
   * How long a run stays with a worker that has stopped answering. Renewed by each page and by a
   * heartbeat at a third of it.
   */
  leaseMs: number
  /** Tries of one page within a run before the run is put off. */
  triesPerPage: number
  /** Pauses between tries of a page: full jitter up to base * 2^n, at most the cap. */
  retryBaseMs: number
  retryCapMs: number
  /**
   * Pauses between a worker's tries of a run that makes no progress: the same, on another scale.
   */
  postponeBaseMs: number
  postponeCapMs: number
  /** Tries of a run without one committed page in between before it fails. */
  maxAttempts: number
  /** The same for workers that were killed, which says less about the run. */
  maxTakes: number
  /**
   * The most records that are read without a checkpoint of their own; what fits is always read
   * whole.
   */
  windowRecords: number
  /**
   * The same for a part of a list in a run that reads everything; `windowRecords` when it is left
   * out.
   */
  completeWindowRecords?: number
  /**
   * Pages that are committed together: so many, or what has arrived within so many milliseconds.
   */
  groupPages: number
  groupMs: number
  /** Pages that are asked for before they are needed. */
  pagesAhead: number
  /** How far back an incremental run reads everything that was issued. */
  lookBackDays: number
  /**
   * How often a connection is read completely. How often it is synced is the connection's own
   * setting (next-sync.ts).
   */
  verifyEveryMs: number
  /** When a failing host is left alone, and for how long. */
  circuit: CircuitRules
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
  windowRecords: 1000,
  completeWindowRecords: 50_000,
  groupPages: 20,
  groupMs: 1000,
  pagesAhead: 8,
  lookBackDays: 35,
  verifyEveryMs: 7 * 86_400_000,
  circuit: { failures: 5, openBaseMs: 30_000, openCapMs: 600_000, probeMs: 60_000 },
}

/**
 * How often the parts of a list are compared with the whole; a list that never rests is left to the
 * next run then.
 */
export const MAX_CLOSING_ROUNDS = 3

/**
 * A pause before try `n` + 1 (n from 1): evenly random up to an exponentially growing ceiling
 * ("full jitter").
 */
export function backoffMs(n: number, baseMs: number, capMs: number, random: () => number = Math.random): number {
  return Math.round(random() * Math.min(capMs, baseMs * 2 ** (n - 1)))
}
