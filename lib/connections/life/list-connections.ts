import { type Sql, withTenantSnapshot, withTenantSql } from '#lib/db/tenant.ts'
import { type ConnectionId, type OrganizationId, parseConnectionId } from '#lib/ids.ts'
import type { Concernable } from '../concerns.ts'
import type { ConnectionSummary } from '../model.ts'
import { type RunRow, readRuns, toCandidate, toDisconnect, toRunProgress } from '../runs/connection-rows.ts'
import { type StoredState, toShownState } from '../states.ts'

/**
 * The organization's connections, oldest first, with everything the connections pages show; as of
 * the moment of `within`, if it is given.
 */
export function listConnections(organizationId: OrganizationId, within?: Sql): Promise<ConnectionSummary[]> {
  return withTenantSnapshot(organizationId, (sql) => readConnections(sql, organizationId, null), { within })
}

/** One connection, or null when the organization has none with that id, which may be any text. */
export async function getConnection(organizationId: OrganizationId, id: string): Promise<ConnectionSummary | null> {
  const connectionId = parseConnectionId(id)
  if (connectionId === null) return null
  const [found] = await withTenantSql(organizationId, (sql) => readConnections(sql, organizationId, connectionId))
  return found ?? null
}

type Moment =
  | 'connectedAt'
  | 'lastGoodSyncAt'
  | 'tokensObtainedAt'
  | 'refreshObtainedAt'
  | 'accessExpiresAt'
  | 'refreshingUntil'
  | 'dataDeletedAt'
  | 'nextSyncAt'
  | 'lookedBackAt'
  | 'nextLookBackAt'
  | 'verifiedAt'
  | 'nextVerificationAt'

type Row = Omit<ConnectionSummary, keyof Concernable | Moment | 'state'> &
  Record<Moment, Date | null> &
  ConcernRow & { run: RunRow | null }

/** What concerns need except the run: from `connection c` and `connection_credential k`. */
export const CONCERN_COLUMNS = `
         c.state, c.state_changed_at as "stateChangedAt", c.connected_at as "connectedAt",
         c.scopes_asked as "scopesAsked", c.scopes_granted as "scopesGranted", k.refresh_expires_at as "refreshExpiresAt",
         case when k.lease_until > statement_timestamp() then k.lease_until end as "refreshingUntil",
         case when k.lease_owner is not null and k.lease_until <= statement_timestamp() then k.lease_until end as "refreshOverdueSince",
         (select json_build_object('missingLines', s.missing_lines, 'missingInvoices', s.missing_invoices)
          from sync_loss s where s.organization_id = $1 and s.connection_id = c.id and s.decision is null
          order by s.found_at desc limit 1) as "openLoss",
         (select json_build_object('data_choice', d.data_choice, 'outcome', d.outcome, 'requested_at', d.requested_at,
                                   'requested_by', du.name, 'attempts', d.attempts, 'next_try_at', d.next_try_at,
                                   'last_problem', d.last_problem, 'erased_rows', d.erased_rows)
          from disconnection d left join app_user du on du.organization_id = d.organization_id and du.id = d.requested_by
          where d.organization_id = $1 and d.connection_id = c.id and d.finished_at is null) as disconnect,
         (select json_build_object('status', n.status, 'consented_by', nu.name, 'obtained_at', n.obtained_at,
                                   'access_expires_at', n.access_expires_at, 'attempts', n.attempts,
                                   'next_try_at', n.next_try_at, 'last_problem', n.last_problem,
                                   'profile_names', n.profile_names, 'held_by', n.held_by, 'held_by_name', h.name)
          from connection_candidate n
          left join app_user nu on nu.organization_id = n.organization_id and nu.id = n.consented_by
          left join connection h on h.organization_id = $1 and h.id = n.held_by
          where n.organization_id = $1 and n.connection_id = c.id
            and (n.status = 'unchecked' or n.access_expires_at > statement_timestamp())) as candidate`

/** A row of `CONCERN_COLUMNS`. */
export type ConcernRow = {
  state: StoredState
  stateChangedAt: Date
  connectedAt: Date | null
  scopesAsked: string
  scopesGranted: string | null
  refreshExpiresAt: Date | null
  refreshingUntil: Date | null
  refreshOverdueSince: Date | null
  openLoss: ConnectionSummary['openLoss']
  disconnect: Parameters<typeof toDisconnect>[0] | null
  candidate: Parameters<typeof toCandidate>[0] | null
}

/** What concerns are derived from, except the run. Moments are ISO 8601 in UTC. */
export function toConcernFields(row: ConcernRow): Pick<ConnectionSummary, Exclude<keyof Concernable, 'run'>> {
  return {
    state: toShownState(row.state, row.refreshingUntil !== null),
    stateChangedAt: row.stateChangedAt.toISOString(),
    scopesAsked: toScopes(row.scopesAsked),
    // an answer that names no scopes granted those asked for (RFC 6749, 5.1)
    scopesGranted: toScopes(row.scopesGranted ?? (row.connectedAt === null ? '' : row.scopesAsked)),
    refreshExpiresAt: toIso(row.refreshExpiresAt),
    refreshOverdueSince: toIso(row.refreshOverdueSince),
    openLoss: row.openLoss,
    disconnect: row.disconnect && toDisconnect(row.disconnect),
    candidate: row.candidate && toCandidate(row.candidate),
  }
}

/**
 * One statement for one connection or for hundreds: index look-ups per connection, and a tally
 * instead of counting invoices and lines. A refresh token lives 30 days, so its age follows from
 * its end.
 */
const READ = `
  select ${CONCERN_COLUMNS},
         c.id, c.name, c.platform_name as "platformName", c.state_cause as "stateCause", u.name as "connectedBy", c.data_deleted_at as "dataDeletedAt",
         k.obtained_at as "tokensObtainedAt", k.refresh_expires_at - interval '30 days' as "refreshObtainedAt",
         k.access_expires_at as "accessExpiresAt",
         coalesce((select json_agg(json_build_object('id', p.id, 'name', p.name, 'currency', p.currency) order by p.name, p.id)
                   from profile p where p.organization_id = $1 and p.connection_id = c.id), '[]') as profiles,
         (coalesce(t.line_count, 0) - gone.lines)::int as "lineCount", gone.lines as "goneLineCount",
         (coalesce(t.invoice_count, 0) - gone.invoices)::int as "invoiceCount",
         (select count(*)::int from rejected_line r where r.organization_id = $1 and r.connection_id = c.id
                                                    and r.resolved_at is null) as "rejectedCount",
         (select s.finished_at from sync_run s
          where s.organization_id = $1 and s.connection_id = c.id and s.status = 'succeeded'
          order by s.requested_at desc limit 1) as "lastGoodSyncAt",
         (select row_to_json(r) from (
            ${readRuns(
              `(select s.* from sync_run s
              where s.organization_id = $1 and s.connection_id = c.id
              order by s.requested_at desc limit 1)`,
            )}) r) as run, c.next_sync_at as "nextSyncAt",
         c.sync_every_minutes as "syncEveryMinutes",
         c.look_back_every_hours as "lookBackEveryHours", c.looked_back_at as "lookedBackAt", c.next_look_back_at as "nextLookBackAt",
         c.verify_every_days as "verifyEveryDays", c.verified_at as "verifiedAt", c.next_verification_at as "nextVerificationAt"
  from connection c
  left join app_user u on u.organization_id = c.organization_id and u.id = coalesce(c.connected_by, c.created_by)
  left join connection_credential k on k.organization_id = c.organization_id and k.connection_id = c.id
  left join connection_tally t on t.organization_id = c.organization_id and t.connection_id = c.id
  cross join lateral (
    select (select count(*)::int from line l where l.organization_id = $1 and l.connection_id = c.id
                                              and l.missing_since is not null) as lines,
           (select count(*)::int from invoice i where i.organization_id = $1 and i.connection_id = c.id
                                                 and i.missing_since is not null) as invoices) gone
  where c.organization_id = $1 and ($2::uuid is null or c.id = $2)
  order by c.created_at, c.id`

async function readConnections(
  sql: Sql,
  organizationId: OrganizationId,
  connectionId: ConnectionId | null,
): Promise<ConnectionSummary[]> {
  return (await sql.prepared<Row>('connections', READ, [organizationId, connectionId])).map(toSummary)
}

function toSummary(row: Row): ConnectionSummary {
  return {
    ...row,
    ...toConcernFields(row),
    connectedAt: toIso(row.connectedAt),
    nextSyncAt: toIso(row.nextSyncAt),
    lookedBackAt: toIso(row.lookedBackAt),
    nextLookBackAt: toIso(row.nextLookBackAt),
    verifiedAt: toIso(row.verifiedAt),
    nextVerificationAt: toIso(row.nextVerificationAt),
    lastGoodSyncAt: toIso(row.lastGoodSyncAt),
    tokensObtainedAt: toIso(row.tokensObtainedAt),
    refreshObtainedAt: toIso(row.refreshObtainedAt),
    accessExpiresAt: toIso(row.accessExpiresAt),
    refreshingUntil: toIso(row.refreshingUntil),
    dataDeletedAt: toIso(row.dataDeletedAt),
    run: row.run === null ? null : toRunProgress(row.run),
  }
}

function toScopes(text: string): string[] {
  return text.split(/\s+/).filter((scope) => scope !== '')
}

function toIso(moment: Date | null): string | null {
  return moment === null ? null : moment.toISOString()
}
