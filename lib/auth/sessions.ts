/**
 * Signed-in browsers. The cookie's secret is random and new at each sign-in, and only its hash is
 * stored. Every request looks the row up, so signing out, idling and ageing end a session on the
 * server (reliability A17).
 */

import { recordAudit } from '#lib/audit/record-audit.ts'
import { hashSecret, makeSecret } from '#lib/connections/secret-hash.ts'
import { type Sql, withTenant, withTenantSnapshot, withTenantSql } from '#lib/db/tenant.ts'
import type { OrganizationId, UserId } from '#lib/ids.ts'
import { type Day, dayOf } from '#lib/reconcile/day.ts'
import { requiresSingleSignOn, SingleSignOnRequiredError } from './enforced-sign-on.ts'
import type { AppSession } from './model.ts'
import { isSamePassword } from './passwords/password.ts'
import type { SignInPlace } from './place.ts'

/** The longest that an organization may choose, and how long the cookie lasts. */
export const ABSOLUTE_LIMIT_MS = 30 * 24 * 3_600_000
/**
 * How stale `last_seen_at` may get: one write per minute and browser, not one per request. So a
 * session ends up to a minute before its idle limit, and never after it.
 */
const SEEN_EVERY_MS = 60_000

/** SQL: session `s` is younger than the limits of its organization `o` say, at the time `at`. */
export function isWithinLimits(at: string): string {
  return `s.expires_at > ${at} and s.created_at > ${at} - make_interval(days => o.session_days)
    and s.last_seen_at > ${at} - make_interval(mins => o.idle_minutes)`
}

type Seen = { lastSeenAt: Date; seenOn: Day | null; seenBefore: Day | null }

/** What a session cookie holds once decrypted. */
export type SessionKey = { organizationId: OrganizationId; secret: string }

/**
 * Who signs in; `passwordHash` is the hash that the password was checked against.
 * `bySingleSignOn`: the organization's identity provider said who it is, and nothing else did.
 */
export type SignedInUser = {
  organizationId: OrganizationId
  userId: UserId
  passwordHash?: string
  bySingleSignOn?: boolean
}

/** The user was disabled, or got another password, after theirs was checked. */
export class UserChangedError extends Error {}

/**
 * Starts a session and returns the key that only the browser gets. Disabling a user or changing the
 * password ends their sessions, and one started a moment later with the old password would escape
 * that.
 * @throws UserChangedError instead; SingleSignOnRequiredError where the organization enforces that.
 */
export async function startSession(
  user: SignedInUser,
  now: Date,
  place: SignInPlace = { browser: null, network: null },
): Promise<SessionKey> {
  const { organizationId, userId, passwordHash = null, bySingleSignOn = false } = user
  const secret = makeSecret()
  await withTenant(organizationId, async (records, sql) => {
    const unchanged = await sql<{ email: string }>(
      `select email from app_user where organization_id = $1 and id = $2 and disabled_at is null
         and ${isSamePassword('password_hash', 'coalesce($3, password_hash)')} for share`,
      [organizationId, userId, passwordHash],
    )
    const [person] = unchanged
    if (person === undefined) throw new UserChangedError('the user was changed after the password was checked')
    if (!bySingleSignOn && (await requiresSingleSignOn(sql, organizationId, userId)))
      throw new SingleSignOnRequiredError('the organization enforces single sign-on')
    await records.userSession.deleteMany({ where: { organizationId, userId, expiresAt: { lt: now } } })
    await records.userSession.createMany({
      data: {
        organizationId,
        idHash: hashSecret(secret),
        userId,
        bySingleSignOn,
        createdAt: now,
        lastSeenAt: now,
        expiresAt: new Date(now.getTime() + ABSOLUTE_LIMIT_MS),
        ...place,
      },
    })
    // single sign-on tells of itself
    if (bySingleSignOn) return
    await recordAudit(sql, organizationId, {
      actor: { kind: 'person', userId, name: person.email, network: place.network },
      action: 'sign-in.done',
      after: { browser: place.browser },
    })
  })
  return { organizationId, secret }
}

/**
 * The live session of a key, with the user as they are now. Null once ended, idle or old beyond the
 * limits that its organization has now, its user disabled, or begun with a password that single
 * sign-on has replaced. SQL, because each request waits for it: Prisma Client takes 1.7 times as
 * long (decision 003).
 */
export async function findSession(key: SessionKey, now: Date): Promise<AppSession | null> {
  const sessionIdHash = hashSecret(key.secret)
  const [found] = await withTenantSnapshot(key.organizationId, (sql) =>
    sql.prepared<FoundSession & Seen>('session', LIVE_SESSION, [key.organizationId, sessionIdHash, now]),
  )
  if (found === undefined) return null
  const { lastSeenAt, seenOn, seenBefore, ...session } = found
  const today = dayOf(now.getTime())
  const isStale = now.getTime() - lastSeenAt.getTime() > SEEN_EVERY_MS
  const isNewDay = seenOn !== today
  if (isStale || isNewDay) await noteSeen(session, { isStale, newDay: isNewDay ? today : null }, now)
  return { ...session, lastVisit: seenOn === today ? seenBefore : seenOn }
}

/** SQL: the formats that a person or an organization chose, by the names of `StoredFormats`. */
function formatsOf(row: 'u' | 'o'): string {
  return `json_build_object('numberFormat', ${row}.number_format, 'dateFormat', ${row}.date_format, 'timeZone', ${row}.time_zone)`
}

/** A session `$2` of the organization `$1` that lives at the time `$3`. */
const LIVE_SESSION = `
  select o.id as "organizationId", o.name as "organizationName", o.fiscal_month as "fiscalMonth", o.folds_names as "foldsNames", u.id as "userId", u.name, u.email, u.role,
    s.id_hash as "sessionIdHash", s.last_seen_at as "lastSeenAt",
    u.seen_on::text as "seenOn", u.seen_before::text as "seenBefore",
    ${formatsOf('u')} as "ownFormats", ${formatsOf('o')} as "organizationFormats",
    o.second_step_required and u.password_hash is not null and not s.by_single_sign_on and not exists (
      select from authenticator a where a.organization_id = u.organization_id and a.user_id = u.id
        and a.confirmed_at is not null) as "mustEnrol"
  from user_session s
  join app_user u on u.organization_id = s.organization_id and u.id = s.user_id
  join organization o on o.id = s.organization_id
  where s.organization_id = $1 and s.id_hash = $2 and s.ended_at is null
    and ${isWithinLimits('$3::timestamptz')} and u.disabled_at is null
    and (s.by_single_sign_on or (u.break_glass and u.role = 'admin') or not exists (
      select from single_sign_on e where e.organization_id = s.organization_id and e.mode = 'enforced'))`

type FoundSession = Omit<AppSession, 'lastVisit'>

/**
 * Notes that a person is here: once a minute for the session, once a day for the person, of whom a
 * cluster has a copy on every node: where a shard is moved, who writes those waits.
 */
function noteSeen(
  { organizationId, sessionIdHash, userId }: FoundSession,
  { isStale, newDay }: { isStale: boolean; newDay: Day | null },
  now: Date,
): Promise<void> {
  return withTenantSql(organizationId, async (sql) => {
    if (isStale)
      await sql('update user_session set last_seen_at = $3 where organization_id = $1 and id_hash = $2', [
        organizationId,
        sessionIdHash,
        now,
      ])
    if (newDay !== null)
      await sql(
        `update app_user set seen_before = seen_on, seen_on = $3
         where organization_id = $1 and id = $2 and seen_on is distinct from $3`,
        [organizationId, userId, newDay],
      )
  })
}

/**
 * Ends a session for good: its cookie signs nobody in. Ending an ended session changes nothing.
 * `leaving`: the person wants to leave, which the audit tells, and not only to sign in again.
 */
export function endSession(key: SessionKey, now: Date, leaving?: { network: string }): Promise<void> {
  const { organizationId } = key
  return withTenantSql(organizationId, async (sql) => {
    const [ended] = await sql<{ userId: UserId; email: string }>(
      `update user_session s set ended_at = $3 from app_user u
       where s.organization_id = $1 and s.id_hash = $2 and s.ended_at is null
         and u.organization_id = s.organization_id and u.id = s.user_id
       returning u.id as "userId", u.email`,
      [organizationId, hashSecret(key.secret), now],
    )
    if (ended === undefined || leaving === undefined) return
    const actor = { kind: 'person', userId: ended.userId, name: ended.email, ...leaving } as const
    await recordAudit(sql, organizationId, { actor, action: 'sign-in.ended' })
  })
}

/**
 * Ends every session of a user, but `kept` (an `id_hash`), in the transaction that changes and
 * locks the user's row. A sign-in under way is either among them or sees the change
 * (`startSession`). @returns how many were live.
 */
export async function endSessionsOf(
  sql: Sql,
  organizationId: OrganizationId,
  userId: UserId,
  now: Date,
  kept: string | null = null,
): Promise<number> {
  const which = 's.organization_id = $1 and s.user_id = $2 and s.ended_at is null and s.id_hash is distinct from $4'
  const values = [organizationId, userId, now, kept]
  const [live] = await sql<{ count: number }>(
    `select count(*)::int as count from user_session s join organization o on o.id = s.organization_id
     where ${which} and ${isWithinLimits('$3::timestamptz')}`,
    values,
  )
  await sql(`update user_session s set ended_at = $3 where ${which}`, values)
  return live?.count ?? 0
}
