/**
 * Wishes to read rejected records again: made by web processes, done by workers, at most one per
 * connection at a time.
 */

import { type Sql, withSystemSql, withTenantSql } from '#lib/db/tenant.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import { PROOF_VERSION } from '#lib/ledger/apply/proof-version.ts'
import { log } from '#lib/log.ts'
import { type ReparseState, SYNC_LISTS, type SyncList } from '../model.ts'
import { reparseBatch } from './reparse-rejected.ts'

export type ReparseWish = { organizationId: OrganizationId; id: string }

/** How long the page shows what came of a wish. */
const SHOWN = "interval '1 day'"

/**
 * Queues reading a connection's rejected records again and wakes a worker, or joins what is under
 * way. Takes no lock that a worker holds while it reads. The caller has checked that the connection
 * is the organization's.
 */
export async function requestReparse(
  organizationId: OrganizationId,
  connectionId: ConnectionId,
  requestedBy: string,
): Promise<{ joined: boolean }> {
  const queued = await withTenantSql(organizationId, (sql) =>
    sql(
      `insert into reparse_wish (organization_id, connection_id, requested_by) values ($1, $2, $3)
       on conflict (organization_id, connection_id) where finished_at is null do nothing
       returning pg_notify('tieout_wake', '') is null as woken`,
      [organizationId, connectionId, requestedBy],
    ),
  )
  return { joined: queued.length === 0 }
}

/**
 * After an upgrade: queues reading again, in every organization, what an older parser has rejected.
 */
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

/** Every organization's wishes that are not done, oldest first. */
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
 * Does one batch of a wish in one transaction: what can be read now goes into the ledger, and how
 * far the wish has come is stored beside it. False when there was nothing to do: another worker
 * holds it, or it is done.
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
    // last of all: whoever wishes the same meanwhile waits for this row only from here on
    const [row] = await sql<{ accepted: number; stillRejected: number }>(
      `update reparse_wish
       set list = coalesce($3, list), raw_hash = $4, accepted = accepted + $5,
           still_rejected = still_rejected + $6, finished_at = case when $3::text is null then clock_timestamp() end
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

/** Ends a wish that cannot be done; the records that it has not come to stay as they are. */
export async function failReparse({ organizationId, id }: ReparseWish): Promise<void> {
  await withTenantSql(organizationId, (sql) =>
    sql(
      `update reparse_wish set finished_at = clock_timestamp(), is_failed = true
       where organization_id = $1 and id = $2 and finished_at is null`,
      [organizationId, id],
    ),
  )
}

/**
 * Connections with rejected records, or whose wish is under way or was done within a day, by their
 * names.
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
