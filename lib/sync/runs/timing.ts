import type { CircuitRules } from '#lib/partner/http/circuit.ts'
import { LOOK_BACK_DAYS, WHOLE_READ_RECORDS } from '#lib/reconcile/sync-run.ts'

/**
 * How long a sync waits and how often it tries, in milliseconds, and how much it reads in one
 * piece. Tests pass other figures.
 */
export type SyncTiming = {
  /**
   * How long a run stays with a worker that stopped answering. Every page renews it, and a
   * heartbeat at a third of it.
   */
  leaseMs: number
  /** Tries of one page within a run before the run is postponed. */
  triesPerPage: number
  /** Pauses between tries of a page: full jitter up to base * 2^n, at most the cap. */
  retryBaseMs: number
  retryCapMs: number
  /** The shortest pause after an answer that asks to wait, also when it cannot be read how long. */
  throttledMs: number
  /** Pauses between a worker's tries of a run without progress: the same rule, on another scale. */
  postponeBaseMs: number
  postponeCapMs: number
  /** Tries of a run without a committed page before it fails. */
  maxAttempts: number
  /** The same limit after kills, which are weaker evidence against the run. */
  maxTakes: number
  /** The most records of a window before it is split; a list that fits is read whole. */
  windowRecords: number
  /** The same limit for a part of a list in a complete run; `windowRecords` if left out. */
  completeWindowRecords?: number
  /** Pages to commit together: this many, or what arrived within `groupMs`. */
  groupPages: number
  groupMs: number
  /** How many pages to ask for ahead. */
  pagesAhead: number
  /** How many days back a run that looks back reads everything issued. */
  lookBackDays: number
  /** When a failing host is left alone, and for how long. */
  circuit: CircuitRules
}

export const SYNC_TIMING: SyncTiming = {
  leaseMs: 20_000,
  triesPerPage: 6,
  retryBaseMs: 500,
  retryCapMs: 15_000,
  throttledMs: 1000,
  postponeBaseMs: 20_000,
  postponeCapMs: 600_000,
  maxAttempts: 6,
  maxTakes: 20,
  windowRecords: WHOLE_READ_RECORDS,
  completeWindowRecords: 50_000,
  groupPages: 40,
  groupMs: 1000,
  pagesAhead: 8,
  lookBackDays: LOOK_BACK_DAYS,
  circuit: { failures: 5, openBaseMs: 30_000, openCapMs: 600_000, probeMs: 60_000 },
}

/**
 * How often to compare the parts of a list with the whole; a list that never rests is left to the
 * next run.
 */
export const MAX_CLOSING_ROUNDS = 3

/**
 * A pause before try `n` + 1 (n from 1): evenly random up to an exponentially growing ceiling
 * ("full jitter").
 */
export function backoffMs(n: number, baseMs: number, capMs: number, random: () => number = Math.random): number {
  return Math.round(random() * Math.min(capMs, baseMs * 2 ** (n - 1)))
}
