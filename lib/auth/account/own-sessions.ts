/** Where a person is signed in, and how they end it there. */
import type { Actor } from '#lib/audit/model.ts'
import { recordAudit } from '#lib/audit/record-audit.ts'
import { type Sql, withTenant, withTenantSql } from '#lib/db/tenant.ts'
import type { AppSession } from '../model.ts'
import type { SignInPlace } from '../place.ts'
import { endSessionsOf, isWithinLimits } from '../sessions.ts'

export type OwnSession = SignInPlace & {
  /** Names the session, and opens nothing. */
  idHash: string
  createdAt: Date
  /** At most a minute old for one that is in use. */
  lastSeenAt: Date
  /** The session that asks. */
  isThis: boolean
}

/** The live sessions of the person: this one first, then the one seen last. */
export function listOwnSessions(session: AppSession, now: Date): Promise<OwnSession[]> {
  const { organizationId, userId, sessionIdHash } = session
  return withTenantSql(organizationId, (sql) =>
    sql<OwnSession>(
      `select s.id_hash as "idHash", s.browser, s.network, s.created_at as "createdAt", s.last_seen_at as "lastSeenAt",
              s.id_hash = $3 as "isThis"
       from user_session s join organization o on o.id = s.organization_id
       where s.organization_id = $1 and s.user_id = $2 and s.ended_at is null and ${isWithinLimits('$4::timestamptz')}
       order by s.id_hash = $3 desc, s.last_seen_at desc, s.id_hash`,
      [organizationId, userId, sessionIdHash, now],
    ),
  )
}

/** Ends one session of the person; false when there is none, or it is somebody else's. */
export function endOwnSession(session: AppSession, idHash: string, actor: Actor, now: Date): Promise<boolean> {
  const { organizationId, userId } = session
  return withTenant(organizationId, async (records, sql) => {
    await lockPerson(sql, session)
    const [ended] = await records.userSession.updateManyAndReturn({
      where: { organizationId, userId, idHash, endedAt: null },
      data: { endedAt: now },
      select: { browser: true, network: true },
    })
    if (ended === undefined) return false
    await recordAudit(sql, organizationId, { actor, action: 'sessions.ended', before: ended, after: { count: 1 } })
    return true
  })
}

/** Ends all sessions of the person but this one. @returns how many were live. */
export function endOtherSessions(session: AppSession, actor: Actor, now: Date): Promise<number> {
  const { organizationId, userId, sessionIdHash } = session
  return withTenantSql(organizationId, async (sql) => {
    await lockPerson(sql, session)
    const count = await endSessionsOf(sql, organizationId, userId, now, sessionIdHash)
    if (count > 0) await recordAudit(sql, organizationId, { actor, action: 'sessions.ended', after: { count } })
    return count
  })
}

/** A sign-in under way has either made its session by now, or waits until this is done. */
async function lockPerson(sql: Sql, { organizationId, userId }: AppSession): Promise<void> {
  await sql('select from app_user where organization_id = $1 and id = $2 for update', [organizationId, userId])
}
