import type { Actor } from '#lib/audit/model.ts'
import { recordAudit } from '#lib/audit/record-audit.ts'
import { closeLinks } from '#lib/auth/links/password-links.ts'
import { hashSecret, makeSecret } from '#lib/connections/secret-hash.ts'
import { withTenant } from '#lib/db/tenant.ts'
import type { AppSession } from '../model.ts'
import { hashPassword, isSamePassword, judgePassword, type PasswordProblem } from '../passwords/password.ts'
import { endSessionsOf, type SessionKey, UserChangedError } from '../sessions.ts'
import { attemptOwnPassword, type CheckEnd } from '../sign-in/sign-in-attempt.ts'

/** How a change ended; `changed`: the browser gets the new `key` of its session. */
type ChangeEnd =
  | Exclude<CheckEnd, { kind: 'right' }>
  | { kind: 'refused'; problem: PasswordProblem | 'same' }
  | { kind: 'changed'; key: SessionKey; ended: number }

export type Passwords = { old: string; chosen: string }

/**
 * Sets the person's own password, if the old one is right and nobody has changed it meanwhile. Ends
 * all their sessions but this one, whose secret is replaced: who had copied its cookie is signed
 * out too. Links that would set a password stop working.
 */
export async function changePassword(
  { request, session, actor, now }: { request: Request; session: AppSession; actor: Actor; now: Date },
  { old, chosen }: Passwords,
): Promise<ChangeEnd> {
  const end = await attemptOwnPassword(request, session, old)
  if (end.kind !== 'right') return end
  // after the old one, whose tries are counted: to look at a password takes a core for a while
  const problem = old === chosen ? 'same' : await judgePassword(chosen, session)
  if (problem !== null) return { kind: 'refused', problem }
  const { organizationId, userId, sessionIdHash } = session
  const passwordHash = await hashPassword(chosen)
  const secret = makeSecret()
  return withTenant(organizationId, async (records, sql) => {
    const changed = await sql(
      `update app_user set password_hash = $4
       where organization_id = $1 and id = $2 and disabled_at is null and ${isSamePassword('password_hash', '$3')}
       returning 1 as one`,
      [organizationId, userId, end.user.passwordHash, passwordHash],
    )
    const kept = await records.userSession.updateMany({
      where: { organizationId, idHash: sessionIdHash, endedAt: null },
      data: { idHash: hashSecret(secret) },
    })
    if (changed.length === 0 || kept.count === 0) throw new UserChangedError('the user was changed meanwhile')
    const ended = await endSessionsOf(sql, organizationId, userId, now, hashSecret(secret))
    await closeLinks(sql, { organizationId, userId }, now)
    await recordAudit(sql, organizationId, { actor, action: 'password.changed', after: { sessionsEnded: ended } })
    return { kind: 'changed', key: { organizationId, secret }, ended }
  })
}
