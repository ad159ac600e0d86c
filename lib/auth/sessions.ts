/**
 * Signed-in browsers. The cookie's secret is random and new at each sign-in, and only its hash is
 * stored. Every request looks the row up, so signing out, idling and ageing end a session on the
 * server (reliability A17).
 */

import { hashSecret, makeSecret } from '#lib/connections/secret-hash.ts'
import { type Sql, withTenant, withTenantSql } from '#lib/db/tenant.ts'
import type { OrganizationId, UserId } from '#lib/ids.ts'
import { type Day, dayOf } from '#lib/reconcile/day.ts'
import type { AppSession } from './model.ts'

const HOUR_MS = 3_600_000
const IDLE_LIMIT_MS = 12 * HOUR_MS
export const ABSOLUTE_LIMIT_MS = 30 * 24 * HOUR_MS
/** How stale `last_seen_at` may get: one write per minute and browser, not one per request. */
const SEEN_EVERY_MS = 60_000

type Seen = { lastSeenAt: Date; seenOn: Day | null; seenBefore: Day | null }

/** What a session cookie holds once decrypted. */
export type SessionKey = { organizationId: OrganizationId; secret: string }

/** Who signs in; `passwordHash` is the hash that the password was checked against. */
export type SignedInUser = { organizationId: OrganizationId; userId: UserId; passwordHash?: string }

/** The user was disabled, or got another password, after theirs was checked. */
export class UserChangedError extends Error {}

/**
 * Starts a session and returns the key that only the browser gets. Disabling a user or changing the
 * password ends their sessions, and one started a moment later with the old password would escape
 * that.
 * @throws UserChangedError instead.
 */
export async function startSession(user: SignedInUser, now: Date): Promise<SessionKey> {
  const { organizationId, userId, passwordHash = null } = user
  const secret = makeSecret()
  await withTenant(organizationId, async (records, sql) => {
    const unchanged = await sql(
      `select from app_user where organization_id = $1 and id = $2 and disabled_at is null
         and password_hash is not distinct from coalesce($3, password_hash) for share`,
      [organizationId, userId, passwordHash],
    )
    if (unchanged.length === 0) throw new UserChangedError('the user was changed after the password was checked')
    await records.userSession.deleteMany({ where: { organizationId, userId, expiresAt: { lt: now } } })
    await records.userSession.createMany({
      data: {
        organizationId,
        idHash: hashSecret(secret),
        userId,
        createdAt: now,
        lastSeenAt: now,
        expiresAt: new Date(now.getTime() + ABSOLUTE_LIMIT_MS),
      },
    })
  })
  return { organizationId, secret }
}

/**
 * The live session of a key, with the user as they are now. Null once ended, idle for 12 hours, 30
 * days old, or its user disabled. SQL, because each request waits for it: Prisma Client takes 1.7
 * times as long (decision 003).
 */
export async function findSession(key: SessionKey, now: Date): Promise<AppSession | null> {
  const sessionIdHash = hashSecret(key.secret)
  return withTenantSql(key.organizationId, async (sql) => {
    const [found] = await sql<Omit<AppSession, 'lastVisit'> & Seen>(
      `select o.id as "organizationId", o.name as "organizationName", o.fiscal_month as "fiscalMonth", u.id as "userId", u.name, u.email, u.role,
              s.id_hash as "sessionIdHash", s.last_seen_at as "lastSeenAt",
              u.seen_on::text as "seenOn", u.seen_before::text as "seenBefore",
              o.second_step_required and u.password_hash is not null and not exists (
                select from authenticator a where a.organization_id = u.organization_id and a.user_id = u.id
                  and a.confirmed_at is not null) as "mustEnrol"
       from user_session s
       join app_user u on u.organization_id = s.organization_id and u.id = s.user_id
       join organization o on o.id = s.organization_id
       where s.organization_id = $1 and s.id_hash = $2 and s.ended_at is null
         and s.expires_at > $3 and s.last_seen_at > $4 and u.disabled_at is null`,
      [key.organizationId, sessionIdHash, now, new Date(now.getTime() - IDLE_LIMIT_MS)],
    )
    if (found === undefined) return null
    const { lastSeenAt, seenOn, seenBefore, ...session } = found
    const today = dayOf(now.getTime())
    if (now.getTime() - lastSeenAt.getTime() > SEEN_EVERY_MS)
      await sql('update user_session set last_seen_at = $3 where organization_id = $1 and id_hash = $2', [
        key.organizationId,
        sessionIdHash,
        now,
      ])
    if (seenOn === today) return { ...session, lastVisit: seenBefore }
    await sql(
      `update app_user set seen_before = seen_on, seen_on = $3
       where organization_id = $1 and id = $2 and seen_on is distinct from $3`,
      [key.organizationId, session.userId, today],
    )
    return { ...session, lastVisit: seenOn }
  })
}

/** Ends a session for good: its cookie signs nobody in. Ending an ended session changes nothing. */
export async function endSession(key: SessionKey, now: Date): Promise<void> {
  await withTenant(key.organizationId, (records) =>
    records.userSession.updateMany({
      where: { organizationId: key.organizationId, idHash: hashSecret(key.secret), endedAt: null },
      data: { endedAt: now },
    }),
  )
}

/**
 * Ends every session of a user, in the transaction that changes and locks the user's row. A sign-in
 * under way is either among them or sees the change (`startSession`). @returns how many were live.
 */
export async function endSessionsOf(
  sql: Sql,
  organizationId: OrganizationId,
  userId: UserId,
  now: Date,
): Promise<number> {
  const ended = await sql<{ isLive: boolean }>(
    `update user_session set ended_at = $3 where organization_id = $1 and user_id = $2 and ended_at is null
     returning expires_at > $3 as "isLive"`,
    [organizationId, userId, now],
  )
  return ended.filter(({ isLive }) => isLive).length
}
