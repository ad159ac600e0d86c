/** Parts of a connection as the database writes them in JSON: moments are text with an offset. */

import { withTenantSql } from '#lib/db/tenant.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import type { RunStatus } from '#lib/reconcile/sync-run.ts'
import type { ConsentCandidate, DisconnectProgress, RunProgress } from '../model.ts'

/** How far back a run's speed is measured, and the shortest span (seconds) that means anything. */
const RECENT = `interval '20 seconds'`
const LEAST_SECONDS = 0.5
/** The most pages per window that are added up to measure speed. */
const MOST_PAGES = 2000

/**
 * Selects a subquery's runs, of the organization `$1`, with their windows and, for a run under way,
 * its newest page and what came in over the last seconds. A run may have tens of thousands of
 * pages, so this looks up only the newest of each window in hand, by primary key. Counting starts
 * at the first of those commits, so a pause before it slows nothing down.
 */
export function readRuns(runs: string): string {
  return `
    select r.*, w.windows_known, w.windows_complete, p.recent_records, p.recent_lines, p.recent_seconds,
           case when r.status = 'running' then greatest(w.completed_at, p.committed_at) end as progress_at
    from ${runs} r
    cross join lateral (
      select count(*) filter (where w.state <> 'split')::int as windows_known,
             count(*) filter (where w.state = 'complete')::int as windows_complete, max(w.completed_at) as completed_at
      from sync_window w where w.organization_id = $1 and w.run_id = r.id) w
    cross join lateral (
      select max(n.committed_at) as committed_at,
             coalesce(sum(n.received) filter (where n.committed_at > n.first_at), 0)::int as recent_records,
             coalesce(sum(n.received) filter (where n.committed_at > n.first_at and n.list = 'lines'), 0)::int as recent_lines,
             extract(epoch from now() - min(n.first_at))::float as recent_seconds
      from (select p.*, min(p.committed_at) filter (where p.committed_at > now() - ${RECENT}) over () as first_at
            from sync_window w
            cross join lateral (
              select p.list, p.received, p.committed_at from sync_page p
              where p.organization_id = $1 and p.run_id = w.run_id and p.window_number = w.number and p.list = w.list
              order by p.pass desc, p.page_offset desc limit ${MOST_PAGES}) p
            where r.status = 'running' and w.organization_id = $1 and w.run_id = r.id
              and (w.state = 'reading' or w.completed_at > now() - ${RECENT})) n) p`
}

export type RunRow = {
  id: string
  status: RunStatus
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
  recent_lines: number
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

/** The run's speed, and the time left at that speed. Ignores records beyond those expected. */
function toPace(run: RunRow): Pick<RunProgress, 'recordsPerSecond' | 'linesPerSecond' | 'secondsLeft'> {
  const { recent_records: records, recent_lines: lines, recent_seconds: seconds } = run
  if (run.status !== 'running' || records === 0 || seconds === null || seconds < LEAST_SECONDS)
    return { recordsPerSecond: null, linesPerSecond: null, secondsLeft: null }
  const recordsPerSecond = records / seconds
  const linesPerSecond = lines === 0 ? null : lines / seconds
  if (run.invoices_expected === null || run.lines_expected === null)
    return { recordsPerSecond, linesPerSecond, secondsLeft: null }
  const left =
    Math.max(0, run.invoices_expected - run.invoices_received) + Math.max(0, run.lines_expected - run.lines_received)
  return { recordsPerSecond, linesPerSecond, secondsLeft: Math.ceil(left / recordsPerSecond) }
}

/** A connection's newest runs first, at most `limit`. */
export async function listRuns(
  organizationId: OrganizationId,
  connectionId: ConnectionId,
  limit: number,
): Promise<RunProgress[]> {
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
