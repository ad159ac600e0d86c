/** When sessions of an organization end by themselves; they hold from the next request on. */
import type { Actor } from '#lib/audit/model.ts'
import { recordAudit } from '#lib/audit/record-audit.ts'
import { withTenant } from '#lib/db/tenant.ts'
import type { OrganizationId } from '#lib/ids.ts'
import { isWithinLimits } from '../sessions.ts'

/** Minutes without a request, and days after all. */
export type SessionLimits = { idleMinutes: number; sessionDays: number }

/** What can be chosen. */
export const IDLE_MINUTES = [15, 30, 60, 240, 720, 1440] as const
export const SESSION_DAYS = [1, 7, 14, 30] as const

export async function readSessionLimits(organizationId: OrganizationId): Promise<SessionLimits> {
  const limits = await withTenant(organizationId, (records) =>
    records.organization.findFirst({
      where: { id: organizationId },
      select: { idleMinutes: true, sessionDays: true },
    }),
  )
  if (limits === null) throw new Error('the organization of a session is gone')
  return limits
}

/**
 * Sets the limits for all sessions, also those that are under way. Ends those that are past the old
 * ones: longer limits bring no session back.
 */
export async function setSessionLimits(
  organizationId: OrganizationId,
  limits: SessionLimits,
  actor: Actor,
  now: Date,
): Promise<void> {
  await withTenant(organizationId, async (records, sql) => {
    const [before] = await sql<SessionLimits>(
      `select idle_minutes as "idleMinutes", session_days as "sessionDays"
       from organization where id = $1 for no key update`,
      [organizationId],
    )
    const { idleMinutes, sessionDays } = limits
    if (before === undefined || (before.idleMinutes === idleMinutes && before.sessionDays === sessionDays)) return
    const over = await sql<{ hash: string }>(
      `select s.id_hash as hash from user_session s join organization o on o.id = s.organization_id
       where s.organization_id = $1 and s.ended_at is null and not (${isWithinLimits('$2::timestamptz')})`,
      [organizationId, now],
    )
    await sql('update user_session set ended_at = $2 where organization_id = $1 and id_hash = any($3)', [
      organizationId,
      now,
      over.map(({ hash }) => hash),
    ])
    await records.organization.updateMany({ where: { id: organizationId }, data: { idleMinutes, sessionDays } })
    const subject = { kind: 'organization', id: organizationId }
    await recordAudit(sql, organizationId, { actor, action: 'sessions.limits', subject, before, after: limits })
  })
}
