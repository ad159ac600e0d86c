/** What happened to a connection: who, when, what and why. The database keeps it append-only. */

import { type Sql, withTenant } from '#lib/db/tenant.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import type { ConnectionEvent, ConnectionEventKind } from '../model.ts'

export type NewEvent = {
  kind: Exclude<ConnectionEventKind, 'created' | 'state'>
  cause?: string | null
  /** The user who did it; null or omitted for the program itself. */
  actorId?: string | null
  /** For people, mostly counts. Never a secret, never the platform's words. */
  detail?: string | null
}

/** Adds an event to the caller's transaction. The database itself records changes of state. */
export async function recordEvent(
  sql: Sql,
  organizationId: OrganizationId,
  connectionId: ConnectionId,
  { kind, cause = null, actorId = null, detail = null }: NewEvent,
): Promise<void> {
  await sql(
    `insert into connection_event (organization_id, connection_id, kind, cause, actor_id, actor_name, detail)
     select $1::uuid, $2::uuid, $3, $4, $5::uuid, (select name from app_user where organization_id = $1 and id = $5), $6
     returning 1`,
    [organizationId, connectionId, kind, cause, actorId, detail],
  )
}

export type History = { events: ConnectionEvent[]; hasMore: boolean }

/**
 * At most `limit` events, newest first; `before` is the number of the last page's oldest, none of
 * the connection's leads nowhere. By their moments: on a cluster an event has its number from the
 * node that wrote it, and the coordinator's are below all others (decision 067).
 */
export async function listEvents(
  organizationId: OrganizationId,
  connectionId: ConnectionId,
  { limit, before = null }: { limit: number; before?: string | null },
): Promise<History> {
  const rows = await withTenant(organizationId, (records) =>
    records.connectionEvent.findMany({
      where: { organizationId, connectionId },
      orderBy: [{ happenedAt: 'desc' }, { number: 'desc' }],
      take: limit + 1,
      ...(before === null
        ? {}
        : {
            cursor: { organizationId_connectionId_number: { organizationId, connectionId, number: BigInt(before) } },
            skip: 1,
          }),
      select: {
        number: true,
        happenedAt: true,
        kind: true,
        fromState: true,
        toState: true,
        cause: true,
        actorName: true,
        detail: true,
      },
    }),
  )
  const events = rows.slice(0, limit).map(({ number, happenedAt, ...event }) => ({
    ...event,
    number: `${number}`,
    happenedAt: happenedAt.toISOString(),
  }))
  // the table's check constraints know the same kinds and states
  return { events: events as ConnectionEvent[], hasMore: rows.length > limit }
}
