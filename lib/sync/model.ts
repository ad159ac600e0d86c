/** What a sync reads, in this order: profiles name the account, invoices come before their lines. */
export const SYNC_LISTS = ['profiles', 'invoices', 'lines'] as const
export type SyncList = (typeof SYNC_LISTS)[number]

export type SyncTrigger = 'connect' | 'manual' | 'schedule'

/** A run as its worker holds it: pages are committed only while `fence` is the run's current one. */
export type ClaimedRun = {
  organizationId: string
  id: string
  connectionId: string
  fence: string
  phase: SyncList
  /** Which reading of the phase's list this is; 1 unless the list moved under the walk. */
  pass: number
  /** The next record offset of the phase. */
  cursorOffset: number
  /** How often the run was taken up since its last committed page, this time included. */
  attempts: number
}

/** What became of the records of a page: `received` is the sum of the others (checked by the database). */
export type PageCounts = {
  received: number
  inserted: number
  updated: number
  unchanged: number
  duplicate: number
  rejected: number
}

/** Places at which a test can stop or kill the worker; nothing happens there otherwise. */
export const FAILPOINTS = ['before-request', 'after-response', 'before-commit', 'after-commit'] as const
export type Failpoint = (name: (typeof FAILPOINTS)[number]) => void

/** How a worker's hold of a run ended. `not-taken`: another worker has it, or it is over. */
export type RunOutcome = 'succeeded' | 'failed' | 'postponed' | 'released' | 'not-taken' | 'fenced'
