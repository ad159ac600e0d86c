import { type Sql, withTenantSql } from '../db/tenant.ts'
import type { ConnectionSummary, RunProgress } from './model.ts'

/** The organization's connections with their profiles, counts and current or last run, oldest first. */
export function listConnections(organizationId: string): Promise<ConnectionSummary[]> {
  return withTenantSql(organizationId, (sql) => readConnections(sql, organizationId, null))
}

/** One connection, or null when the organization has none with that id. */
export async function getConnection(organizationId: string, connectionId: string): Promise<ConnectionSummary | null> {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(connectionId)) return null
  const [found] = await withTenantSql(organizationId, (sql) => readConnections(sql, organizationId, connectionId))
  return found ?? null
}

type Row = Omit<
  ConnectionSummary,
  'run' | 'connectedAt' | 'nextSyncAt' | 'lastGoodSyncAt' | 'refreshExpiresAt' | 'accessExpiresAt' | 'lineCount'
> & {
  connectedAt: Date | null
  nextSyncAt: Date | null
  lastGoodSyncAt: Date | null
  refreshExpiresAt: Date | null
  accessExpiresAt: Date | null
  lineCount: number
  run: RunRow | null
}

/** A row of sync_run as row_to_json writes it: moments are text with an offset. */
type RunRow = {
  id: string
  status: RunProgress['status']
  kind: RunProgress['kind']
  phase: RunProgress['phase']
  trigger: RunProgress['trigger']
  requested_at: string
  started_at: string | null
  finished_at: string | null
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
  lease_until: string | null
  error_code: string | null
  error_text: string | null
  windows_known: number
  windows_complete: number
  recent_records: number
  recent_seconds: number | null
}

// the rate is that of the last minute in which pages were committed; of a run that has ended it says nothing
const RUN = `
  select r.*, w.*, p.*
  from (select * from sync_run s where s.organization_id = c.organization_id and s.connection_id = c.id
        order by s.requested_at desc limit 1) r
  cross join lateral (
    select count(*) filter (where w.state <> 'split')::int as windows_known,
           count(*) filter (where w.state = 'complete')::int as windows_complete
    from sync_window w where w.organization_id = r.organization_id and w.run_id = r.id) w
  cross join lateral (
    select coalesce(sum(p.received), 0)::int as recent_records,
           extract(epoch from now() - greatest(r.started_at, now() - interval '1 minute'))::float as recent_seconds
    from sync_page p where r.status = 'running' and p.organization_id = r.organization_id and p.run_id = r.id
      and p.committed_at > now() - interval '1 minute') p`

async function readConnections(
  sql: Sql,
  organizationId: string,
  connectionId: string | null,
): Promise<ConnectionSummary[]> {
  const rows = await sql<Row>(
    `select c.id, c.name, c.state, c.state_cause as "stateCause", c.connected_at as "connectedAt", u.name as "connectedBy",
            k.refresh_expires_at as "refreshExpiresAt", k.access_expires_at as "accessExpiresAt",
            coalesce((select json_agg(json_build_object('id', p.id, 'name', p.name, 'currency', p.currency) order by p.name, p.id)
                      from profile p where p.organization_id = c.organization_id and p.connection_id = c.id), '[]') as profiles,
            (select count(*)::int from line l where l.organization_id = c.organization_id and l.connection_id = c.id and l.missing_since is null) as "lineCount",
            (select count(*)::int from invoice i where i.organization_id = c.organization_id and i.connection_id = c.id and i.missing_since is null) as "invoiceCount",
            (select count(*)::int from rejected_line r where r.organization_id = c.organization_id and r.connection_id = c.id
                                                       and r.resolved_at is null) as "rejectedCount",
            (select max(s.finished_at) from sync_run s where s.organization_id = c.organization_id and s.connection_id = c.id
                                                       and s.status = 'succeeded') as "lastGoodSyncAt",
            (select row_to_json(s) from (${RUN}) s) as run, c.next_sync_at as "nextSyncAt"
     from connection c
     left join app_user u on u.organization_id = c.organization_id and u.id = c.created_by
     left join connection_credential k on k.organization_id = c.organization_id and k.connection_id = c.id
     where c.organization_id = $1 and ($2::uuid is null or c.id = $2)
     order by c.created_at, c.id`,
    [organizationId, connectionId],
  )
  return rows.map(toSummary)
}

function toSummary(row: Row): ConnectionSummary {
  return {
    ...row,
    connectedAt: toIso(row.connectedAt),
    nextSyncAt: toIso(row.nextSyncAt),
    lastGoodSyncAt: toIso(row.lastGoodSyncAt),
    refreshExpiresAt: toIso(row.refreshExpiresAt),
    accessExpiresAt: toIso(row.accessExpiresAt),
    run: row.run === null ? null : toRunProgress(row.run),
  }
}

function toRunProgress(run: RunRow): RunProgress {
  return {
    id: run.id,
    status: run.status,
    kind: run.kind,
    phase: run.phase,
    trigger: run.trigger,
    requestedAt: new Date(run.requested_at).toISOString(),
    startedAt: toIso(run.started_at),
    finishedAt: toIso(run.finished_at),
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
    waitsUntil: run.status === 'running' && run.error_code !== null ? toIso(run.lease_until) : null,
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

function toIso(moment: Date | string | null): string | null {
  return moment === null ? null : new Date(moment).toISOString()
}
