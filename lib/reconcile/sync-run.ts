/**
 * The words for a run of a sync, which pages, SQL and worker share. The database's CHECKs hold the
 * same ones.
 */

/**
 * What a sync reads, in this order: profiles name the account, invoices come before their lines.
 */
export const SYNC_LISTS = ['profiles', 'invoices', 'lines'] as const
export type SyncList = (typeof SYNC_LISTS)[number]

/** Why a run was started. */
export type SyncTrigger = 'connect' | 'manual' | 'schedule' | 'webhook'

/**
 * What a run sets out to read. `backfill` and `verification`: everything. `incremental`: what was
 * issued lately, and what may still change. `invoices`: those that the platform has hinted at. An
 * account that fits into a few pages is always read whole.
 */
export type SyncKind = 'backfill' | 'incremental' | 'verification' | 'invoices'

/**
 * `held`: read to the end, but so much is gone that an admin decides. `paused` keeps its place
 * until it is resumed.
 */
export type RunStatus = 'queued' | 'running' | 'paused' | 'succeeded' | 'held' | 'failed' | 'canceled'

/** Whether a worker has the run in hand, or soon will. */
export function isUnderWay<Run extends { status: RunStatus }>(
  run: Run | null,
): run is Run & { status: 'queued' | 'running' } {
  return run?.status === 'queued' || run?.status === 'running'
}
