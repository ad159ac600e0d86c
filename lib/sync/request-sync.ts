import type { PrismaTransaction } from '../db/prisma.ts'
import { type Sql, withTenantSql } from '../db/tenant.ts'
import { OperationalError } from '../errors.ts'
import type { SyncKind, SyncTrigger } from './model.ts'

export type SyncWish = {
  trigger: SyncTrigger
  /** The user who asked, or null for the program itself. */
  requestedBy: string | null
  /** What to read; when left out, everything until that has been done once, and after that what may have changed. */
  kind?: SyncKind
}

/** `joined`: a sync of this connection was already queued, running or paused, and the wish joined it. */
export type RequestedSync = { runId: string; joined: boolean }

type Execute = (text: string, values: unknown[]) => Promise<{ id: string }[]>

/** What is read when the wish does not say: everything, until that has come to its end once. */
function kindOf(parameter: string): string {
  return `coalesce(${parameter}::text, case when exists (
    select from sync_run done where done.organization_id = $1::uuid and done.connection_id = $2::uuid
      and done.kind in ('backfill', 'verification') and done.status in ('succeeded', 'held')) then 'incremental' else 'backfill' end)`
}

// The notification is part of the transaction: the worker wakes exactly when the run can be seen.
const QUEUE = `
  with queued as (
    insert into sync_run (organization_id, connection_id, trigger, requested_by, kind)
    values ($1::uuid, $2::uuid, $3::text, $4::uuid, ${kindOf('$5')})
    on conflict (organization_id, connection_id) where status in ('queued', 'running', 'paused') do nothing
    returning id
  )
  select id::text as id, pg_notify('tieout_wake', '') is null as woken from queued`

// A run that only follows a hint is made to do what is asked for: it plans that before it ends.
const UNDER_WAY = `
  with widened as (
    update sync_run set kind = ${kindOf('$3')}
    where organization_id = $1::uuid and connection_id = $2::uuid and status in ('queued', 'running', 'paused')
      and kind = 'invoices' and ${kindOf('$3')} <> 'invoices')
  select id::text as id from sync_run
  where organization_id = $1::uuid and connection_id = $2::uuid and status in ('queued', 'running', 'paused')`

/**
 * Queues a sync of one connection and wakes the worker, or joins the sync that is under way: there is never more than one
 * per connection (a unique index sees to it). The caller has checked that the connection is the organization's.
 * @throws the database's foreign key error for a connection that does not exist.
 */
export function requestSync(organizationId: string, connectionId: string, wish: SyncWish): Promise<RequestedSync> {
  return withTenantSql(organizationId, (sql) => requestSyncSql(sql, organizationId, connectionId, wish))
}

/** As `requestSync`, inside a Prisma transaction of the caller: nothing is queued when that rolls back. */
export function requestSyncIn(
  db: PrismaTransaction,
  organizationId: string,
  connectionId: string,
  wish: SyncWish,
): Promise<RequestedSync> {
  return queueOrJoin((text, values) => db.$queryRawUnsafe(text, ...values), organizationId, connectionId, wish)
}

/** As `requestSync`, inside an SQL transaction of the caller. */
export function requestSyncSql(
  sql: Sql,
  organizationId: string,
  connectionId: string,
  wish: SyncWish,
): Promise<RequestedSync> {
  return queueOrJoin((text, values) => sql(text, values), organizationId, connectionId, wish)
}

/**
 * As `requestSyncSql` for a connection that was connected again: when its last run ended because of the link and began less
 * than a day ago, that run goes on at its checkpoint (`resumed`). What was read earlier than that is too old to count as one
 * reading with what comes now: then the list is read from its start.
 */
export async function resumeSyncSql(
  sql: Sql,
  organizationId: string,
  connectionId: string,
  wish: SyncWish,
): Promise<RequestedSync & { resumed: boolean }> {
  const [resumed] = await sql<{ id: string }>(
    `update sync_run set status = 'queued', finished_at = null, lease_until = null, attempts = 0,
            error_code = null, error_text = null
     where organization_id = $1 and status = 'failed' and error_code = 'connection-needs-reconnect'
       and started_at > now() - interval '1 day'
       and id = (select id from sync_run where organization_id = $1 and connection_id = $2
                 order by requested_at desc, id limit 1)
     returning id::text as id, pg_notify('tieout_wake', '') is null as woken`,
    [organizationId, connectionId],
  )
  if (resumed) return { runId: resumed.id, joined: false, resumed: true }
  return { ...(await requestSyncSql(sql, organizationId, connectionId, wish)), resumed: false }
}

async function queueOrJoin(
  execute: Execute,
  organizationId: string,
  connectionId: string,
  { trigger, requestedBy, kind }: SyncWish,
): Promise<RequestedSync> {
  // the run under way may end between the two statements: then there is room for a new one
  for (let attempt = 1; attempt <= 5; attempt++) {
    const [queued] = await execute(QUEUE, [organizationId, connectionId, trigger, requestedBy, kind ?? null])
    if (queued) return { runId: queued.id, joined: false }
    const [underWay] = await execute(UNDER_WAY, [organizationId, connectionId, kind ?? null])
    if (underWay) return { runId: underWay.id, joined: true }
  }
  throw new OperationalError('database-unavailable', `No sync of connection ${connectionId} could be queued or joined`)
}
