import type { Actor } from '#lib/audit/model.ts'
import { recordAudit } from '#lib/audit/record-audit.ts'
import { withTenant } from '#lib/db/tenant.ts'
import { deleteSecondStep } from '../factors/authenticator.ts'
import { deletePasskeys } from '../factors/passkeys.ts'
import type { Person } from '../factors/person.ts'
import { endSessionsOf } from '../sessions.ts'

/**
 * Takes a person's second step, recovery codes and passkeys away and signs them out everywhere:
 * for somebody whose phone is lost. They sign in with the password alone afterwards. @returns what
 * was removed, or null, with nothing changed, when there was nothing or no such person.
 */
export function resetSecondStep(
  person: Person,
  actor: Actor,
  now: Date,
): Promise<{ secondStep: boolean; passkeys: number; sessions: number } | null> {
  const { organizationId, userId } = person
  return withTenant(organizationId, async (records, sql) => {
    // a sign-in under way waits here, and ends with the others
    const [user] = await sql<{ email: string }>(
      'select email from app_user where organization_id = $1 and id = $2 for update',
      [organizationId, userId],
    )
    if (user === undefined) return null
    const secondStep = await deleteSecondStep(records, sql, person)
    const passkeys = await deletePasskeys(records, person)
    if (!secondStep && passkeys === 0) return null
    const sessions = await endSessionsOf(sql, organizationId, userId, now)
    await records.pendingSignIn.deleteMany({ where: { organizationId, userId } })
    const before = { secondStep, passkeys }
    const subject = { kind: 'user', id: userId, name: user.email }
    await recordAudit(sql, organizationId, { actor, action: 'second-step.reset', subject, before })
    return { ...before, sessions }
  })
}
