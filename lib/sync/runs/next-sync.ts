/** When a connection syncs automatically. */

import { recordEvent } from '#lib/connections/events/history.ts'
import type { SyncInterval } from '#lib/connections/model.ts'
import { type Sql, withTenantSql } from '#lib/db/tenant.ts'
import type { ConnectionId, OrganizationId, UserId } from '#lib/ids.ts'

type Owner = { organizationId: OrganizationId; connectionId: ConnectionId }

/**
 * Varies a connection's interval by 10 %: connections created together do not sync together
 * forever.
 */
export function spreadInterval(random: () => number = Math.random): number {
  return 0.9 + 0.2 * random()
}

/**
 * Plans the next sync one interval after `now`, in the caller's transaction. `isAtLeast`: keep a
 * later plan.
 */
export async function planNextSync(
  sql: Sql,
  { organizationId, connectionId }: Owner,
  now: Date,
  { isAtLeast = false }: { isAtLeast?: boolean } = {},
): Promise<void> {
  const next = `$3::timestamptz + sync_every_minutes * $4::float8 * interval '1 minute'`
  await sql(
    `update connection set next_sync_at = ${isAtLeast ? `greatest(next_sync_at, ${next})` : next}
     where organization_id = $1 and id = $2`,
    [organizationId, connectionId, now, spreadInterval()],
  )
}

/**
 * Sets how often the connection syncs automatically, and records `userId` in its history. Keeps a
 * sync already planned before the new interval ends. False when there is no such connection.
 */
export function setSyncInterval(
  { organizationId, connectionId }: Owner,
  minutes: SyncInterval,
  userId: UserId,
): Promise<boolean> {
  return withTenantSql(organizationId, async (sql) => {
    const [connection] = await sql<{ isChanged: boolean }>(
      `update connection c
       set sync_every_minutes = $3::integer,
           next_sync_at = least(c.next_sync_at, now() + $3::integer * interval '1 minute')
       from connection before
       where c.organization_id = $1 and c.id = $2 and before.organization_id = c.organization_id and before.id = c.id
       returning before.sync_every_minutes <> $3::integer as "isChanged"`,
      [organizationId, connectionId, minutes],
    )
    if (connection?.isChanged)
      await recordEvent(sql, organizationId, connectionId, {
        kind: 'schedule_changed',
        actorId: userId,
        detail: String(minutes),
      })
    return connection !== undefined
  })
}
