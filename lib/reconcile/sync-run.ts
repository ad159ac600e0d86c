/**
 * The words for a sync run, shared by pages, SQL and worker. The database's CHECKs list the same
 * ones.
 */

/** What a sync reads, in order: profiles name the account, invoices come before their lines. */
export const SYNC_LISTS = ['profiles', 'invoices', 'lines'] as const
export type SyncList = (typeof SYNC_LISTS)[number]

/** Why a run was started. */
export type SyncTrigger = 'connect' | 'manual' | 'schedule' | 'webhook'

/**
 * What a run sets out to read. `backfill` and `verification`: everything. `incremental`: what was
 * issued lately, and what may still change, with their lines. `changes`: the same invoices, but
 * lines only of those that are new or have changed. `invoices`: those the platform hinted at. An
 * account of a few pages is always read whole.
 */
export type SyncKind = 'backfill' | 'changes' | 'incremental' | 'verification' | 'invoices'

/**
 * The look-back window: invoices issued within so many days, whose lines are read again most
 * often.
 */
export const LOOK_BACK_DAYS = 35

/** A list of up to so many records is read whole by every sync. */
export const WHOLE_READ_RECORDS = 1000

/**
 * `held`: read to the end, but so much is missing that an admin decides. `paused`: keeps its place
 * until resumed.
 */
export type RunStatus = 'queued' | 'running' | 'paused' | 'succeeded' | 'held' | 'failed' | 'canceled'

/** Whether a worker has the run in hand, or soon will. */
export function isUnderWay<Run extends { status: RunStatus }>(
  run: Run | null,
): run is Run & { status: 'queued' | 'running' } {
  return run?.status === 'queued' || run?.status === 'running'
}
