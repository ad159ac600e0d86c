import type { RunStatus } from '#lib/reconcile/sync-run.ts'

/**
 * `open`: can still continue, by a worker or a click. `over`: cannot. `read`: over, and the
 * platform's list was read to its end.
 */
const STATUSES: Record<RunStatus, readonly ('open' | 'over' | 'read')[]> = {
  queued: ['open'],
  running: ['open'],
  paused: ['open'],
  succeeded: ['over', 'read'],
  held: ['over', 'read'],
  failed: ['over'],
  canceled: ['over'],
}

export const RUN_STATUSES = Object.keys(STATUSES) as RunStatus[]

/** The statuses of runs that can still continue; a connection has at most one such run. */
export const OPEN_STATUSES = RUN_STATUSES.filter((status) => STATUSES[status].includes('open'))

/** SQL, for `status in ${...}`: runs that can continue, as in index `sync_run_one_at_a_time`. */
export const SQL_OPEN = toSqlList(OPEN_STATUSES)
/** SQL: runs that have ended, whatever the outcome. */
export const SQL_OVER = toSqlList(RUN_STATUSES.filter((status) => STATUSES[status].includes('over')))
/** SQL: runs that read all they set out to read. */
export const SQL_READ = toSqlList(RUN_STATUSES.filter((status) => STATUSES[status].includes('read')))

/**
 * SQL: whether the connection's list was read to its end and that data is still here. The
 * parameters are SQL expressions. While false, a sync has to read everything.
 */
export function sqlHasReadAll(organizationId: string, connectionId: string): string {
  return `exists (
    select from sync_run done where done.organization_id = ${organizationId} and done.connection_id = ${connectionId}
      and done.kind in ('backfill', 'verification') and done.status in ${SQL_READ} and done.data_erased_at is null)`
}

function toSqlList(statuses: readonly RunStatus[]): string {
  return `(${statuses.map((status) => `'${status}'`).join(', ')})`
}
