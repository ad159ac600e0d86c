/**
 * Requests to read rejected records again: web processes make them, workers do them, at most one
 * per connection at a time.
 */

import { type Actor, userIdOf } from '#lib/audit/model.ts'
import { auditConnection } from '#lib/connections/events/audit-connection.ts'
import { momentIf } from '#lib/db/cluster/written-moments.ts'
import { type Sql, withSystemSql, withTenantSql } from '#lib/db/tenant.ts'
import { wakeWorkers } from '#lib/db/work/wake.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import { PROOF_VERSION } from '#lib/ledger/apply/proof-version.ts'
import { log } from '#lib/log.ts'
import { type ReparseState, SYNC_LISTS, type SyncList } from '../model.ts'
import { reparseBatch } from './reparse-rejected.ts'

export type ReparseWish = { organizationId: OrganizationId; id: string }

/** How long the page shows the result. */
const SHOWN = "interval '1 day'"

/**
 * Queues reading a connection's rejected records again and wakes a worker, or joins a request under
 * way. Takes no lock that a worker holds while it reads. The caller has checked that the connection
 * belongs to the organization.
 */
export async function requestReparse(
  organizationId: OrganizationId,
  connectionId: ConnectionId,
  actor: Actor,
): Promise<{ joined: boolean }> {
  return withTenantSql(organizationId, async (sql) => {
    const queued = await sql(
      `insert into reparse_wish (organization_id, connection_id, requested_by) values ($1, $2, $3)
       on conflict (organization_id, connection_id) where finished_at is null do nothing returning 1`,
      [organizationId, connectionId, userIdOf(actor)],
    )
    const joined = queued.length === 0
    if (!joined) await wakeWorkers(sql)
    await auditConnection(sql, organizationId, connectionId, {
      actor,
      action: 'sync.rejected-read-again',
      after: { joined },
    })
    return { joined }
  })
}

/** After an upgrade: queues, for every organization, what an older parser rejected. */
export async function requestReparseAfterUpgrade(): Promise<void> {
  await withSystemSql((sql) =>
    sql(
      `insert into reparse_wish (organization_id, connection_id)
       select distinct organization_id, connection_id from rejected_line
       where resolved_at is null and parser_version < $1
       on conflict (organization_id, connection_id) where finished_at is null do nothing`,
      [PROOF_VERSION],
    ),
  )
}

/** Every organization's open requests, oldest first; at most 1000. */
export function listOpenReparses(): Promise<ReparseWish[]> {
  return withSystemSql((sql) =>
    sql<ReparseWish>(
      `select organization_id as "organizationId", id from reparse_wish
       where finished_at is null order by requested_at limit 1000`,
    ),
  )
}

type Open = { connectionId: ConnectionId; isByProgram: boolean; list: SyncList | null; rawHash: string | null }

/**
 * Does one batch of a request in one transaction, which also stores how far it has come. False when
 * there was nothing to do: another worker holds the request, or it is done.
 */
export function advanceReparse({ organizationId, id }: ReparseWish): Promise<boolean> {
  return withTenantSql(organizationId, async (sql) => {
    const [wish] = await sql<Open>(
      `select connection_id as "connectionId", requested_by is null as "isByProgram", list, raw_hash as "rawHash"
       from reparse_wish where organization_id = $1 and id = $2 and finished_at is null for update skip locked`,
      [organizationId, id],
    )
    if (wish === undefined) return false
    const { connectionId, isByProgram, list, rawHash } = wish
    const place = { list: list ?? SYNC_LISTS[0], after: rawHash ?? '' }
    const done = await reparseBatch(sql, { organizationId, connectionId, ...place, isOutdatedOnly: isByProgram })
    const next = done.last === null ? SYNC_LISTS[SYNC_LISTS.indexOf(place.list) + 1] : place.list
    // last: only from here on does a new request for the same connection wait for this row
    const [row] = await sql<{ accepted: number; stillRejected: number }>(
      `update reparse_wish
       set list = coalesce($3, list), raw_hash = $4, accepted = accepted + $5,
           still_rejected = still_rejected + $6, finished_at = ${momentIf('$3::text is null', 'statement_timestamp()')}
       where organization_id = $1 and id = $2 returning accepted, still_rejected as "stillRejected"`,
      [organizationId, id, next ?? null, done.last ?? '', done.accepted, done.stillRejected],
    )
    if (next === undefined) {
      await removeOlder(sql, organizationId, connectionId, id)
      log.info({ connection: connectionId, isByProgram, ...row }, 'rejected records read again')
    }
    return true
  })
}

/** Ends a request that cannot be done; records it has not reached stay as they are. */
export async function failReparse({ organizationId, id }: ReparseWish): Promise<void> {
  await withTenantSql(organizationId, (sql) =>
    sql(
      `update reparse_wish set finished_at = statement_timestamp(), is_failed = true
       where organization_id = $1 and id = $2 and finished_at is null`,
      [organizationId, id],
    ),
  )
}

/**
 * Connections with rejected records, or with a request that is open or ended within a day, by name.
 */
export async function listReparses(organizationId: OrganizationId): Promise<ReparseState[]> {
  const rows = await withTenantSql(organizationId, (sql) =>
    sql<ReparseState & { finishedAt: Date | null }>(
      `with open as (
         select connection_id, count(*)::int as "openCount" from rejected_line
         where organization_id = $1 and resolved_at is null group by connection_id),
       newest as (
         select distinct on (connection_id) * from reparse_wish
         where organization_id = $1 and (finished_at is null or finished_at > now() - ${SHOWN})
         order by connection_id, requested_at desc)
       select c.id as "connectionId", c.name as "connectionName", coalesce(o."openCount", 0) as "openCount",
              w.id is not null and w.finished_at is null as "isUnderWay", w.finished_at as "finishedAt",
              u.name as "requestedBy", coalesce(w.accepted, 0) as accepted,
              coalesce(w.still_rejected, 0) as "stillRejected", coalesce(w.is_failed, false) as "isFailed"
       from connection c left join open o on o.connection_id = c.id left join newest w on w.connection_id = c.id
       left join app_user u on u.organization_id = c.organization_id and u.id = w.requested_by
       where c.organization_id = $1 and (o.connection_id is not null or w.id is not null)
       order by c.name nulls last, c.id`,
      [organizationId],
    ),
  )
  return rows.map((row) => ({ ...row, finishedAt: row.finishedAt && new Date(row.finishedAt).toISOString() }))
}

async function removeOlder(
  sql: Sql,
  organizationId: OrganizationId,
  connectionId: ConnectionId,
  id: string,
): Promise<void> {
  await sql(
    'delete from reparse_wish where organization_id = $1 and connection_id = $2 and id <> $3 and finished_at is not null',
    [organizationId, connectionId, id],
  )
}
