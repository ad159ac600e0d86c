/**
 * What happens to a run, in SQL. Every change but the claim is fenced: it fails once another worker
 * has taken over.
 */

import { sqlHasReadAll } from '#lib/connections/runs/run-status.ts'
import { type Sql, withTenantSql } from '#lib/db/tenant.ts'
import { claim } from '#lib/db/work/claim.ts'
import { OperationalError } from '#lib/errors.ts'
import type { ConnectionId, OrganizationId, RunId } from '#lib/ids.ts'
import type { ClaimedRun, SyncKind, WalkPage } from '../model.ts'
import { planNextSync } from './next-sync.ts'

/**
 * Takes a queued run, or one whose lease has expired (by the database clock), under a new fence.
 * Null when another worker holds it or it is over. A run that reads a part becomes a backfill if
 * the connection has no complete reading, or if its data was deleted since the request.
 */
export function claimRun(organizationId: OrganizationId, runId: RunId, leaseMs: number): Promise<ClaimedRun | null> {
  return withTenantSql(organizationId, async (sql) => {
    const run = await claim<{ connectionId: ConnectionId; kind: SyncKind; fence: string; attempts: number }>(
      sql,
      {
        table: 'sync_run',
        key: 'organization_id, id',
        of: organizationId,
        isDue: `w.organization_id = $1 and id = $2
          and (status = 'queued' or (status = 'running' and coalesce(lease_until, '-infinity') <= now()))`,
        order: 'requested_at',
        hold: `status = 'running', fence = fence + 1, lease_until = now() + ${leaseMs} * interval '1 millisecond',
          started_at = least(started_at, now()), phase = coalesce(phase, 'profiles'), attempts = attempts + 1,
          error_code = null, error_text = null`,
        returning: 'connection_id as "connectionId", kind, fence, attempts',
      },
      [organizationId, runId],
    )
    if (run === null) return null
    const [widened] = await sql<{ kind: SyncKind }>(
      `update sync_run w set kind = 'backfill'
       where w.organization_id = $1 and w.id = $2 and w.kind in ('changes', 'incremental')
         and not ${sqlHasReadAll('$1::uuid', 'w.connection_id')}
       returning kind`,
      [organizationId, runId],
    )
    return { organizationId, id: runId, ...run, ...widened }
  })
}

/** The committed pages of one window, in reading order: enough to go on after a crash. */
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

/** Locks the run for a page's transaction. @throws OperationalError sync-fenced after a takeover */
export async function holdRun(sql: Sql, run: ClaimedRun): Promise<void> {
  // names the run for the versions this transaction replaces: they are kept under it
  // (lib/ledger/history/history.ts)
  await sql.setName('tieout.run_id', run.id)
  const rows = await sql(
    `select from sync_run where organization_id = $1 and id = $2::uuid and fence = $3 and status = 'running' for update`,
    [run.organizationId, run.id, run.fence],
  )
  if (rows.length === 0) throw fenced(run)
}

/** Keeps the run with this worker for another `leaseMs`. */
export function renewLease(run: ClaimedRun, leaseMs: number): Promise<void> {
  return changeAlone(run, `lease_until = now() + $4 * interval '1 millisecond'`, [leaseMs])
}

/** Lets go of the run at a page boundary; the next worker can take it at once. */
export function releaseRun(run: ClaimedRun): Promise<void> {
  return changeAlone(run, 'lease_until = null, attempts = 0', [])
}

/**
 * Postpones the run: it stays under way and shows why it waits, and any worker may take it up after
 * the pause. `isNoAttempt`: the pause does not count as an attempt, as when the partner asked for
 * it.
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
 * Ends the run as failed at `now`. What arrived is kept; the next run is due after one interval.
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
 * Changes the run while this worker holds it. `assignments` is SQL from this room; its values start
 * at $4.
 * @throws OperationalError sync-fenced
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
