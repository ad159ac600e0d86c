/**
 * What happens to a run, in SQL. Every change but the claim is fenced: it fails once another worker
 * has taken over.
 */

import { sqlHasReadAll } from '#lib/connections/runs/run-status.ts'
import { type Sql, withTenantSql } from '#lib/db/tenant.ts'
import { OperationalError } from '#lib/errors.ts'
import type { ConnectionId, OrganizationId, RunId } from '#lib/ids.ts'
import type { ClaimedRun, SyncKind, WalkPage } from '../model.ts'
import { planNextSync } from './next-sync.ts'

/**
 * Takes a queued run, or one whose worker has let its lease run out (by the database clock), under
 * a new fence. Null when another worker holds it or it is over. What it reads is decided here for
 * good: a run that was to look for what is new reads everything where nothing has, or where what
 * had been read was deleted since it was asked for.
 */
export function claimRun(organizationId: OrganizationId, runId: RunId, leaseMs: number): Promise<ClaimedRun | null> {
  return withTenantSql(organizationId, async (sql) => {
    const [row] = await sql<{ connectionId: ConnectionId; kind: SyncKind; fence: string; attempts: number }>(
      `update sync_run r
       set status = 'running', fence = fence + 1, lease_until = now() + $3 * interval '1 millisecond',
           started_at = coalesce(started_at, now()), phase = coalesce(phase, 'profiles'), attempts = attempts + 1,
           error_code = null, error_text = null,
           kind = case when kind = 'incremental' and not ${sqlHasReadAll('r.organization_id', 'r.connection_id')}
                       then 'backfill' else kind end
       where organization_id = $1 and id = $2
         and (status = 'queued' or (status = 'running' and coalesce(lease_until, '-infinity') <= now()))
       returning connection_id as "connectionId", kind, fence, attempts`,
      [organizationId, runId, leaseMs],
    )
    return row === undefined ? null : { organizationId, id: runId, ...row }
  })
}

/**
 * The committed pages of one window, in the order in which they were read: enough to go on after a
 * crash.
 */
export function listWalkedPages(run: ClaimedRun, windowNumber: number): Promise<WalkPage[]> {
  return withTenantSql(run.organizationId, async (sql) => {
    const rows = await sql<{ pass: number; reported_total: number | null; key_hashes: string[] }>(
      `select pass, reported_total, key_hashes from sync_page
       where organization_id = $1 and run_id = $2 and window_number = $3 order by pass, page_offset`,
      [run.organizationId, run.id, windowNumber],
    )
    return rows.map((row) => ({ pass: row.pass, total: row.reported_total, keys: row.key_hashes.map(BigInt) }))
  })
}

/**
 * Locks the run for a page's transaction. @throws OperationalError sync-fenced when another worker
 * has taken over.
 */
export async function holdRun(sql: Sql, run: ClaimedRun): Promise<void> {
  const rows = await sql(
    // named for what the transaction changes: the versions it replaces are kept under this run
    // (lib/ledger/history/history.ts)
    `select set_config('tieout.run_id', $2::text, true)
     from sync_run where organization_id = $1 and id = $2::uuid and fence = $3 and status = 'running' for update`,
    [run.organizationId, run.id, run.fence],
  )
  if (rows.length === 0) throw fenced(run)
}

/** Keeps the run with this worker for another `leaseMs`. */
export function renewLease(run: ClaimedRun, leaseMs: number): Promise<void> {
  return changeAlone(run, `lease_until = now() + $4 * interval '1 millisecond'`, [leaseMs])
}

/** Lets go of the run at a page boundary, so that the next worker takes it up at once. */
export function releaseRun(run: ClaimedRun): Promise<void> {
  return changeAlone(run, 'lease_until = null, attempts = 0', [])
}

/**
 * Puts the run off: it stays under way and shows why it waits, and any worker may take it up after
 * the pause. A pause that the partner has asked for, or that spares it (`isNoAttempt`), does not
 * count as an attempt.
 */
export function postponeRun(
  run: ClaimedRun,
  pauseMs: number,
  error: OperationalError,
  { isNoAttempt = false }: { isNoAttempt?: boolean } = {},
): Promise<void> {
  const attempts = isNoAttempt ? ', attempts = greatest(attempts - 1, 0)' : ''
  return changeAlone(
    run,
    `lease_until = now() + $4 * interval '1 millisecond', error_code = $5, error_text = $6${attempts}`,
    [pauseMs, error.code, error.userText],
  )
}

/**
 * Ends the run as failed at `now`; what arrived is kept, and the next one is due after the
 * connection's interval.
 */
export function failRun(run: ClaimedRun, error: OperationalError, now: Date): Promise<void> {
  return withTenantSql(run.organizationId, async (sql) => {
    await change(
      sql,
      run,
      `status = 'failed', finished_at = now(), lease_until = null, error_code = $4, error_text = $5`,
      [error.code, error.userText],
    )
    await planNextSync(sql, run, now)
  })
}

function changeAlone(run: ClaimedRun, assignments: string, values: unknown[]): Promise<void> {
  return withTenantSql(run.organizationId, (sql) => change(sql, run, assignments, values))
}

/**
 * Changes the run while it is this worker's. `assignments` is text of this folder; its values start
 * at $4. @throws sync-fenced
 */
export async function change(sql: Sql, run: ClaimedRun, assignments: string, values: unknown[]): Promise<void> {
  const rows = await sql(
    `update sync_run set ${assignments}
     where organization_id = $1 and id = $2 and fence = $3 and status = 'running' returning id`,
    [run.organizationId, run.id, run.fence, ...values],
  )
  if (rows.length === 0) throw fenced(run)
}

function fenced(run: ClaimedRun): OperationalError {
  return new OperationalError('sync-fenced', `Run ${run.id} is no longer held under fence ${run.fence}`)
}
