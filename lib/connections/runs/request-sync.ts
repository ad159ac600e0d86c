import { type Actor, userIdOf } from '#lib/audit/model.ts'
import { type Sql, withTenantSql } from '#lib/db/tenant.ts'
import { wakeWorkers } from '#lib/db/work/wake.ts'
import { OperationalError } from '#lib/errors.ts'
import type { ConnectionId, OrganizationId, RunId } from '#lib/ids.ts'
import type { SyncKind, SyncTrigger } from '#lib/reconcile/sync-run.ts'
import { auditConnection } from '../events/audit-connection.ts'
import { SQL_DISCONNECTED } from '../states.ts'
import { SQL_OPEN, sqlHasReadAll } from './run-status.ts'

export type SyncWish = {
  trigger: SyncTrigger
  /** The user who asked, or null for the program itself. */
  requestedBy: string | null
  /**
   * What to read. By default everything until that was done once, then what may have changed, with
   * all its lines: a user who asks does not expect less.
   */
  kind?: SyncKind
}

/** `joined`: the connection had a sync queued, running or paused, and the wish joined it. */
export type RequestedSync = { runId: RunId; joined: boolean }

/** What to read: what the wish says, but everything until a full reading has ended once. */
function kindOf(parameter: string): string {
  const isPart = `coalesce(${parameter}::text, 'incremental') in ('changes', 'incremental')`
  return `case when ${isPart} and not ${sqlHasReadAll('$1::uuid', '$2::uuid')} then 'backfill' else coalesce(${parameter}::text, 'incremental') end`
}

// The notification is transactional: the worker wakes exactly when the run becomes visible. The
// connection is read without a lock: a run that slips in beside a click on "Disconnect" is ended
// with the rest of its data, or ends by itself for lack of tokens.
const QUEUE = `
  insert into sync_run (organization_id, connection_id, trigger, requested_by, kind)
  select c.organization_id, c.id, $3::text, $4::uuid, ${kindOf('$5')} from connection c
  where c.organization_id = $1::uuid and c.id = $2::uuid and c.state not in ${SQL_DISCONNECTED}
  on conflict (organization_id, connection_id) where status in ${SQL_OPEN} do nothing
  returning id::text as id`

// Widens a run that reads less than was asked for: it plans the wider reading before it ends.
const UNDER_WAY = `
  with widened as (
    update sync_run set kind = ${kindOf('$3')}
    where organization_id = $1::uuid and connection_id = $2::uuid and status in ${SQL_OPEN}
      and (kind = 'invoices' and ${kindOf('$3')} <> 'invoices' or kind = 'changes' and ${kindOf('$3')} = 'incremental'))
  select id::text as id from sync_run
  where organization_id = $1::uuid and connection_id = $2::uuid and status in ${SQL_OPEN}`

const LINKED = `
  select id::text as id from connection
  where organization_id = $1::uuid and id = $2::uuid and state not in ${SQL_DISCONNECTED}`

/**
 * Queues a sync of one connection and wakes the worker, or joins the sync under way: a unique index
 * allows one per connection. What somebody asks for is audited; the schedule is not (`requestedBy`
 * null).
 * @throws OperationalError connection-disconnected when the connection is disconnected, being
 * disconnected, or not the organization's.
 */
export function requestSync(
  organizationId: OrganizationId,
  connectionId: ConnectionId,
  { requestedBy, ...wish }: Omit<SyncWish, 'requestedBy'> & { requestedBy: Actor | null },
): Promise<RequestedSync> {
  return withTenantSql(organizationId, async (sql) => {
    const by = requestedBy && userIdOf(requestedBy)
    const requested = await requestSyncSql(sql, organizationId, connectionId, { ...wish, requestedBy: by })
    if (requestedBy !== null)
      await auditConnection(sql, organizationId, connectionId, {
        actor: requestedBy,
        action: wish.kind === 'verification' ? 'sync.verification-started' : 'sync.started',
        after: { run: requested.runId, joined: requested.joined },
      })
    return requested
  })
}

/** As `requestSync`, inside the caller's SQL transaction. */
export async function requestSyncSql(
  sql: Sql,
  organizationId: OrganizationId,
  connectionId: ConnectionId,
  { trigger, requestedBy, kind }: SyncWish,
): Promise<RequestedSync> {
  type Found = { id: string }
  // the run under way may end between the two statements, which makes room for a new one
  for (let attempt = 1; attempt <= 5; attempt++) {
    const [queued] = await sql<Found>(QUEUE, [organizationId, connectionId, trigger, requestedBy, kind ?? null])
    if (queued) {
      await wakeWorkers(sql)
      return { runId: queued.id, joined: false }
    }
    const [underWay] = await sql<Found>(UNDER_WAY, [organizationId, connectionId, kind ?? null])
    if (underWay) return { runId: underWay.id, joined: true }
    const [linked] = await sql<Found>(LINKED, [organizationId, connectionId])
    if (linked === undefined)
      throw new OperationalError('connection-disconnected', `Connection ${connectionId} is disconnected`)
  }
  throw new OperationalError('database-unavailable', `No sync of connection ${connectionId} could be queued or joined`)
}

/**
 * As `requestSyncSql`, for a reconnected connection. If its last run ended because of the link,
 * began less than a day ago and still has its data, that run continues at its checkpoint
 * (`resumed`). An older reading cannot be combined with what comes now, so the list is read from
 * its start.
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
     returning id::text as id`,
    [organizationId, connectionId],
  )
  if (resumed) {
    await wakeWorkers(sql)
    return { runId: resumed.id, joined: false, resumed: true }
  }
  return { ...(await requestSyncSql(sql, organizationId, connectionId, wish)), resumed: false }
}
