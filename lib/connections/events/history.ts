/**
 * What happened to a connection: who, when, what and why. Rows are added and never changed; the
 * database sees to it.
 */

import { type Sql, withTenant } from '#lib/db/tenant.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import type { ConnectionEvent, ConnectionEventKind } from '../model.ts'

export type NewEvent = {
  kind: Exclude<ConnectionEventKind, 'created' | 'state'>
  cause?: string | null
  /** The user who did it; null or left out for the program itself. */
  actorId?: string | null
  /** Counts and the like, for people; never a secret, never the platform's words. */
  detail?: string | null
}

/**
 * Adds an event that is no change of state (those are noted by the database), in the transaction of
 * the caller.
 */
export async function recordEvent(
  sql: Sql,
  organizationId: OrganizationId,
  connectionId: ConnectionId,
  { kind, cause = null, actorId = null, detail = null }: NewEvent,
): Promise<void> {
  await sql(
    `insert into connection_event (organization_id, connection_id, kind, cause, actor_id, actor_name, detail)
     values ($1, $2, $3, $4, $5, (select name from app_user where organization_id = $1 and id = $5), $6)`,
    [organizationId, connectionId, kind, cause, actorId, detail],
  )
}

export type History = { events: ConnectionEvent[]; hasMore: boolean }

/**
 * The newest events first, at most `limit`; `before` is the number of the oldest event of the page
 * before.
 */
export async function listEvents(
  organizationId: OrganizationId,
  connectionId: ConnectionId,
  { limit, before = null }: { limit: number; before?: string | null },
): Promise<History> {
  const rows = await withTenant(organizationId, (records) =>
    records.connectionEvent.findMany({
      where: { organizationId, connectionId, ...(before === null ? {} : { number: { lt: BigInt(before) } }) },
      orderBy: { number: 'desc' },
      take: limit + 1,
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
