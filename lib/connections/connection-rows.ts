/** Parts of a connection as the database writes them in JSON: moments are text with an offset. */
import { withTenantSql } from '../db/tenant.ts'
import type { ConsentCandidate, DisconnectProgress, RunProgress } from './model.ts'

/**
 * The runs of a subquery with their windows, their newest page and what came in over the last minute. Of a run that has
 * ended, that minute says nothing.
 */
export function readRuns(runs: string): string {
  return `
    select r.*, w.*, p.*
    from ${runs} r
    cross join lateral (
      select count(*) filter (where w.state <> 'split')::int as windows_known,
             count(*) filter (where w.state = 'complete')::int as windows_complete
      from sync_window w where w.organization_id = r.organization_id and w.run_id = r.id) w
    cross join lateral (
      select max(p.committed_at) as progress_at,
             coalesce(sum(p.received) filter (where p.committed_at > now() - interval '1 minute'), 0)::int as recent_records,
             extract(epoch from now() - greatest(r.started_at, now() - interval '1 minute'))::float as recent_seconds
      from sync_page p where r.status = 'running' and p.organization_id = r.organization_id and p.run_id = r.id) p`
}

export type RunRow = {
  id: string
  status: RunProgress['status']
  kind: RunProgress['kind']
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
  lines_missing: number
  invoices_missing: number
  error_code: string | null
  error_text: string | null
  windows_known: number
  windows_complete: number
  recent_records: number
  recent_seconds: number | null
}

export function toRunProgress(run: RunRow): RunProgress {
  return {
    id: run.id,
    status: run.status,
    kind: run.kind,
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
    windows: { known: run.windows_known, complete: run.windows_complete },
    ...toPace(run),
    linesMissing: run.lines_missing,
    invoicesMissing: run.invoices_missing,
    waitsUntil: run.status === 'running' && run.error_code !== null && run.lease_until ? toIso(run.lease_until) : null,
    errorCode: run.error_code,
    errorText: run.error_text,
  }
}

/** How fast the run is, and how long it will take at that. What comes after the records that are expected is not in it. */
function toPace(run: RunRow): Pick<RunProgress, 'recordsPerSecond' | 'secondsLeft'> {
  const { recent_records: records, recent_seconds: seconds } = run
  if (run.status !== 'running' || records === 0 || seconds === null || seconds <= 0)
    return { recordsPerSecond: null, secondsLeft: null }
  const recordsPerSecond = records / seconds
  if (run.invoices_expected === null || run.lines_expected === null) return { recordsPerSecond, secondsLeft: null }
  const left =
    Math.max(0, run.invoices_expected - run.invoices_received) + Math.max(0, run.lines_expected - run.lines_received)
  return { recordsPerSecond, secondsLeft: Math.ceil(left / recordsPerSecond) }
}

/** A connection's newest runs first, at most `limit`. */
export async function listRuns(organizationId: string, connectionId: string, limit: number): Promise<RunProgress[]> {
  const rows = await withTenantSql(organizationId, (sql) =>
    sql<{ run: RunRow }>(
      `select row_to_json(r) as run from (${readRuns(`(select s.* from sync_run s
         where s.organization_id = $1 and s.connection_id = $2 order by s.requested_at desc limit $3)`)}) r
       order by r.requested_at desc`,
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
