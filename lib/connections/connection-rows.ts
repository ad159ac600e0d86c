/** Parts of a connection as the database writes them in JSON: moments are text with an offset. */
import { withTenantSql } from '../db/tenant.ts'
import type { ConsentCandidate, DisconnectProgress, RunProgress } from './model.ts'

/** When the newest page of run `s` was stored, of the list it is at: one look into the page ledger's key. */
export const PROGRESS = `(select g.committed_at from sync_page g
  where g.organization_id = s.organization_id and g.run_id = s.id and g.list = s.phase
  order by g.pass desc, g.page_offset desc limit 1)`

export type RunRow = {
  id: string
  status: RunProgress['status']
  phase: RunProgress['phase']
  trigger: RunProgress['trigger']
  requested_at: string
  started_at: string | null
  finished_at: string | null
  lease_until: string | null
  progress_at: string | null
  profiles_received: number
  profiles_expected: number | null
  invoices_received: number
  invoices_expected: number | null
  lines_received: number
  lines_expected: number | null
  inserted: number
  updated: number
  unchanged: number
  duplicate: number
  rejected: number
  error_code: string | null
  error_text: string | null
}

export function toRunProgress(run: RunRow): RunProgress {
  return {
    id: run.id,
    status: run.status,
    phase: run.phase,
    trigger: run.trigger,
    requestedAt: toIso(run.requested_at),
    startedAt: run.started_at && toIso(run.started_at),
    finishedAt: run.finished_at && toIso(run.finished_at),
    leaseUntil: run.lease_until && toIso(run.lease_until),
    progressAt: run.progress_at && toIso(run.progress_at),
    profiles: { received: run.profiles_received, expected: run.profiles_expected },
    invoices: { received: run.invoices_received, expected: run.invoices_expected },
    lines: { received: run.lines_received, expected: run.lines_expected },
    inserted: run.inserted,
    updated: run.updated,
    unchanged: run.unchanged,
    duplicate: run.duplicate,
    rejected: run.rejected,
    errorCode: run.error_code,
    errorText: run.error_text,
  }
}

/** A connection's newest runs first, at most `limit`. */
export async function listRuns(organizationId: string, connectionId: string, limit: number): Promise<RunProgress[]> {
  const rows = await withTenantSql(organizationId, (sql) =>
    sql<{ run: RunRow }>(
      `select row_to_json(r) as run from (
         select s.*, ${PROGRESS} as progress_at from sync_run s where s.organization_id = $1 and s.connection_id = $2
         order by s.requested_at desc limit $3) r`,
      [organizationId, connectionId, limit],
    ),
  )
  return rows.map(({ run }) => toRunProgress(run))
}

export function toDisconnect(row: {
  data_choice: DisconnectProgress['dataChoice']
  outcome: string | null
  requested_at: string
  requested_by: string | null
  attempts: number
  next_try_at: string
  last_problem: string | null
  erased_rows: number
}): DisconnectProgress {
  return {
    dataChoice: row.data_choice,
    phase: row.outcome === null ? 'ending_link' : 'deleting_data',
    requestedAt: toIso(row.requested_at),
    requestedBy: row.requested_by,
    attempts: row.attempts,
    nextTryAt: toIso(row.next_try_at),
    lastProblem: row.last_problem,
    erasedRows: row.erased_rows,
  }
}

export function toCandidate(row: {
  status: ConsentCandidate['status']
  consented_by: string | null
  obtained_at: string
  access_expires_at: string
  attempts: number
  next_try_at: string
  last_problem: string | null
  profile_names: string[]
  held_by: string | null
  held_by_name: string | null
}): ConsentCandidate {
  return {
    status: row.status,
    consentedBy: row.consented_by,
    obtainedAt: toIso(row.obtained_at),
    accessExpiresAt: toIso(row.access_expires_at),
    attempts: row.attempts,
    nextTryAt: toIso(row.next_try_at),
    lastProblem: row.last_problem,
    profileNames: row.profile_names,
    heldBy: row.held_by === null ? null : { id: row.held_by, name: row.held_by_name },
  }
}

function toIso(moment: string): string {
  return new Date(moment).toISOString()
}
