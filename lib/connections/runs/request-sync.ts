import { type Sql, withTenantSql } from '#lib/db/tenant.ts'
import { OperationalError } from '#lib/errors.ts'
import type { ConnectionId, OrganizationId, RunId } from '#lib/ids.ts'
import type { SyncKind, SyncTrigger } from '#lib/reconcile/sync-run.ts'
import { SQL_DISCONNECTED } from '../states.ts'
import { SQL_OPEN, sqlHasReadAll } from './run-status.ts'

export type SyncWish = {
  trigger: SyncTrigger
  /** The user who asked, or null for the program itself. */
  requestedBy: string | null
  /**
   * What to read; when left out, everything until that has been done once, and after that what may
   * have changed.
   */
  kind?: SyncKind
}

/**
 * `joined`: a sync of this connection was already queued, running or paused, and the wish joined
 * it.
 */
export type RequestedSync = { runId: RunId; joined: boolean }

/** What is read when the wish does not say: everything, until that has come to its end once. */
function kindOf(parameter: string): string {
  return `coalesce(${parameter}::text, case when ${sqlHasReadAll('$1::uuid', '$2::uuid')} then 'incremental' else 'backfill' end)`
}

// The notification is part of the transaction: the worker wakes exactly when the run can be seen.
// The connection is looked at without a lock: a run that slips in beside a click on "Disconnect" is
// ended with the rest of its data, or ends by itself, for it finds no tokens.
const QUEUE = `
  with queued as (
    insert into sync_run (organization_id, connection_id, trigger, requested_by, kind)
    select c.organization_id, c.id, $3::text, $4::uuid, ${kindOf('$5')} from connection c
    where c.organization_id = $1::uuid and c.id = $2::uuid and c.state not in ${SQL_DISCONNECTED}
    on conflict (organization_id, connection_id) where status in ${SQL_OPEN} do nothing
    returning id
  )
  select id::text as id, pg_notify('tieout_wake', '') is null as woken from queued`

// A run that only follows a hint is made to do what is asked for: it plans that before it ends.
const UNDER_WAY = `
  with widened as (
    update sync_run set kind = ${kindOf('$3')}
    where organization_id = $1::uuid and connection_id = $2::uuid and status in ${SQL_OPEN}
      and kind = 'invoices' and ${kindOf('$3')} <> 'invoices')
  select id::text as id from sync_run
  where organization_id = $1::uuid and connection_id = $2::uuid and status in ${SQL_OPEN}`

const LINKED = `
  select id::text as id from connection
  where organization_id = $1::uuid and id = $2::uuid and state not in ${SQL_DISCONNECTED}`

/**
 * Queues a sync of one connection and wakes the worker, or joins the sync that is under way: there
 * is never more than one per connection (a unique index sees to it).
 * @throws OperationalError connection-disconnected when the connection is disconnected, is being
 * so, or is not the organization's.
 */
export function requestSync(
  organizationId: OrganizationId,
  connectionId: ConnectionId,
  wish: SyncWish,
): Promise<RequestedSync> {
  return withTenantSql(organizationId, (sql) => requestSyncSql(sql, organizationId, connectionId, wish))
}

/** As `requestSync`, inside an SQL transaction of the caller. */
export async function requestSyncSql(
  sql: Sql,
  organizationId: OrganizationId,
  connectionId: ConnectionId,
  { trigger, requestedBy, kind }: SyncWish,
): Promise<RequestedSync> {
  type Found = { id: string }
  // the run under way may end between the two statements: then there is room for a new one
  for (let attempt = 1; attempt <= 5; attempt++) {
    const [queued] = await sql<Found>(QUEUE, [organizationId, connectionId, trigger, requestedBy, kind ?? null])
    if (queued) return { runId: queued.id, joined: false }
    const [underWay] = await sql<Found>(UNDER_WAY, [organizationId, connectionId, kind ?? null])
    if (underWay) return { runId: underWay.id, joined: true }
    const [linked] = await sql<Found>(LINKED, [organizationId, connectionId])
    if (linked === undefined)
      throw new OperationalError('connection-disconnected', `Connection ${connectionId} is disconnected`)
  }
  throw new OperationalError('database-unavailable', `No sync of connection ${connectionId} could be queued or joined`)
}

/**
 * As `requestSyncSql` for a connection that was connected again: when its last run ended because of
 * the link and began less than a day ago, that run goes on at its checkpoint (`resumed`), unless
 * what it had read was deleted. What was read earlier than that is too old to count as one reading
 * with what comes now: then the list is read from its start.
 */
export async function resumeSyncSql(
  sql: Sql,
  organizationId: OrganizationId,
  connectionId: ConnectionId,
  wish: SyncWish,
): Promise<RequestedSync & { resumed: boolean }> {
  const [resumed] = await sql<{ id: string }>(
    `update sync_run set status = 'queued', finished_at = null, lease_until = null, attempts = 0,
            error_code = null, error_text = null
     where organization_id = $1 and status = 'failed' and error_code = 'connection-needs-reconnect' and data_erased_at is null
       and started_at > now() - interval '1 day'
       and id = (select id from sync_run where organization_id = $1 and connection_id = $2
                 order by requested_at desc, id limit 1)
     returning id::text as id, pg_notify('tieout_wake', '') is null as woken`,
    [organizationId, connectionId],
  )
  if (resumed) return { runId: resumed.id, joined: false, resumed: true }
  return { ...(await requestSyncSql(sql, organizationId, connectionId, wish)), resumed: false }
}
