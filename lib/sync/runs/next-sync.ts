/** When a connection syncs automatically. */

import { type Actor, userIdOf } from '#lib/audit/model.ts'
import { auditConnection } from '#lib/connections/events/audit-connection.ts'
import { recordEvent } from '#lib/connections/events/history.ts'
import type { SyncSchedule } from '#lib/connections/model.ts'
import { laterBy } from '#lib/db/cluster/written-moments.ts'
import { type Sql, withTenantSql } from '#lib/db/tenant.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'

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
  const next = laterBy('$3::timestamptz', "sync_every_minutes * $4::float8 * interval '1 minute'")
  await sql(
    `update connection set next_sync_at = ${isAtLeast ? `greatest(next_sync_at, ${next})` : next}
     where organization_id = $1 and id = $2`,
    [organizationId, connectionId, now, spreadInterval()],
  )
}

/**
 * Notes that a run has read all lines of the look-back window, or `everything`, and plans the next
 * such reading one interval after `now`, in the caller's transaction. Everything includes the
 * look-back window.
 */
export async function planNextReadings(
  sql: Sql,
  { organizationId, connectionId }: Owner,
  now: Date,
  what: 'look-back' | 'everything',
): Promise<void> {
  const verification = `, verified_at = $3::timestamptz, next_verification_at = ${laterBy('$3::timestamptz', "verify_every_days * interval '1 day'")}`
  await sql(
    `update connection
     set looked_back_at = $3::timestamptz, next_look_back_at = ${laterBy('$3::timestamptz', "look_back_every_hours * interval '1 hour'")}
         ${what === 'everything' ? verification : ''}
     where organization_id = $1 and id = $2`,
    [organizationId, connectionId, now],
  )
}

/**
 * Sets how often the connection syncs automatically, and how often such a sync reads the lines of
 * the look-back window or everything; what the schedule leaves out stays. Records each change in
 * the connection's history and all in the audit, under `actor`. Keeps a sync already planned before
 * the new interval ends; the other intervals count from the last such reading. False when there is
 * no such connection.
 */
export function setSyncSchedule(
  { organizationId, connectionId }: Owner,
  { minutes, lookBackHours, verifyDays }: Partial<SyncSchedule>,
  actor: Actor,
): Promise<boolean> {
  return withTenantSql(organizationId, async (sql) => {
    const [before] = await sql<{ minutes: number; lookBackHours: number; verifyDays: number }>(
      `select sync_every_minutes as minutes, look_back_every_hours as "lookBackHours", verify_every_days as "verifyDays"
       from connection where organization_id = $1 and id = $2 for update`,
      [organizationId, connectionId],
    )
    if (before === undefined) return false
    const next = {
      minutes: minutes ?? before.minutes,
      lookBackHours: lookBackHours ?? before.lookBackHours,
      verifyDays: verifyDays ?? before.verifyDays,
    }
    await sql(
      `update connection
       set sync_every_minutes = $3::integer, look_back_every_hours = $4::integer, verify_every_days = $5::integer,
           next_sync_at = least(next_sync_at, now() + $3::integer * interval '1 minute'),
           next_look_back_at = ${laterBy('looked_back_at', "$4::integer * interval '1 hour'")},
           next_verification_at = ${laterBy('verified_at', "$5::integer * interval '1 day'")}
       where organization_id = $1 and id = $2`,
      [organizationId, connectionId, next.minutes, next.lookBackHours, next.verifyDays],
    )
    const note = (kind: 'schedule_changed' | 'look_back_changed' | 'verification_changed', value: number) =>
      recordEvent(sql, organizationId, connectionId, { kind, actorId: userIdOf(actor), detail: String(value) })
    if (next.minutes !== before.minutes) await note('schedule_changed', next.minutes)
    if (next.lookBackHours !== before.lookBackHours) await note('look_back_changed', next.lookBackHours)
    if (next.verifyDays !== before.verifyDays) await note('verification_changed', next.verifyDays)
    if (Object.entries(next).some(([name, value]) => before[name as keyof SyncSchedule] !== value))
      await auditConnection(sql, organizationId, connectionId, {
        actor,
        action: 'connection.schedule',
        before,
        after: next,
      })
    return true
  })
}
