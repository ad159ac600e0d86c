/**
 * The people who sign in, as admins (page People) and operators (`npm run users`) manage them.
 * Taking anything away from a user ends their sessions in the same transaction. The role is read
 * with each request, so changing it takes effect at once. A removed user is none for any function
 * here: only histories still name them (docs/decisions/030-people.md).
 */

import type { Actor, AuditEvent } from '#lib/audit/model.ts'
import { recordAudit } from '#lib/audit/record-audit.ts'
import { type Sql, withSystemSql, withTenantSql } from '#lib/db/tenant.ts'
import { isUuid, type OrganizationId, type UserId } from '#lib/ids.ts'
import { closeLinks } from '#lib/links/password-links.ts'
import type { KnownUser } from '../model.ts'
import { hashPassword } from '../password.ts'
import type { Role } from '../permissions.ts'
import { endSessionsOf } from '../sessions.ts'
import { isSpareable, lockPeople } from './last-admin.ts'
import { IS_MANAGED } from './managed-people.ts'

/** Users of the organization, or of all when it is null, by organization and email. */
export function listUsers(organizationId: OrganizationId | null, now: Date): Promise<KnownUser[]> {
  const read = (sql: Sql) => readUsers(sql, { organizationId, email: null }, now)
  return organizationId === null ? withSystemSql(read) : withTenantSql(organizationId, read)
}

/** The user with this address, in any organization, or null: an address has at most one user. */
export async function findUserByEmail(email: string, now: Date): Promise<KnownUser | null> {
  const wanted = { organizationId: null, email: toStoredEmail(email) }
  const [user] = await withSystemSql((sql) => readUsers(sql, wanted, now))
  return user ?? null
}

function readUsers(
  sql: Sql,
  wanted: { organizationId: OrganizationId | null; email: string | null },
  now: Date,
): Promise<KnownUser[]> {
  return sql<KnownUser>(
    `select o.id as "organizationId", o.name as "organizationName", u.id as "userId", u.email, u.name, u.role,
            u.disabled_at is not null as "isDisabled", s.sessions, s."lastSeenAt", u.seen_on::text as "seenOn",
            ${IS_MANAGED} as "isManaged"
     from app_user u
     join organization o on o.id = u.organization_id
     cross join lateral (
       select count(*) filter (where ended_at is null and expires_at > $3)::int as sessions,
              max(last_seen_at) as "lastSeenAt"
       from user_session where organization_id = u.organization_id and user_id = u.id) s
     where u.removed_at is null and ($1::uuid is null or u.organization_id = $1) and ($2::text is null or u.email = $2)
     order by o.name, o.id, u.email`,
    [wanted.organizationId, wanted.email, now],
  )
}

/** An address as users and invitations have it. */
export function toStoredEmail(email: string): string {
  return email.trim().toLowerCase()
}

/** Adds a user; false, with nothing changed, when the address is taken in any organization. */
export async function addUser(
  organizationId: OrganizationId,
  user: { email: string; name: string; role: Role; password: string },
  actor: Actor,
  now: Date,
): Promise<boolean> {
  const passwordHash = await hashPassword(user.password)
  return withTenantSql(organizationId, async (sql) => {
    const added = await insertUser(sql, organizationId, { ...user, passwordHash }, now)
    if (added === null) return false
    const { role, name } = user
    await recordAudit(sql, organizationId, {
      actor,
      action: 'people.add',
      subject: toSubject(added),
      after: { role, name },
    })
    return true
  })
}

/**
 * Adds a user in the caller's transaction and ends what invited the address here; null, with
 * nothing changed, when the address is taken in any organization.
 */
export async function insertUser(
  sql: Sql,
  organizationId: OrganizationId,
  user: { email: string; name: string; role: Role; passwordHash: string },
  now: Date,
): Promise<{ id: UserId; email: string } | null> {
  const email = toStoredEmail(user.email)
  const [added] = await sql<{ id: UserId }>(
    `insert into app_user (organization_id, email, name, role, password_hash, created_at)
     values ($1, $2, $3, $4, $5, $6) on conflict (email) do nothing returning id`,
    [organizationId, email, user.name, user.role, user.passwordHash, now],
  )
  if (added === undefined) return null
  await sql('delete from invitation where organization_id = $1 and email = $2', [organizationId, email])
  return { id: added.id, email }
}

/**
 * How a change of a user ended. `missing`: the organization has no such user. `last-admin`: the
 * organization's last admin who can sign in stays as they are. `managed`: the directory decides
 * that, and would undo it (docs/decisions/034-directory.md).
 */
export type UserChange =
  | { kind: 'done'; endedSessions: number }
  | { kind: 'last-admin' }
  | { kind: 'managed' }
  | { kind: 'missing' }

/** Whatever else than a password somebody signs in with. */
const MEANS_TO_SIGN_IN = ['authenticator', 'recovery_code', 'passkey', 'user_identity'] as const

const DONE: UserChange = { kind: 'done', endedSessions: 0 }

type LockedUser = { id: UserId; email: string; name: string; role: Role; isDisabled: boolean; isManaged: boolean }

/** Sets another password and signs the user out everywhere. */
export async function setPassword(
  organizationId: OrganizationId,
  userId: UserId,
  password: string,
  actor: Actor,
  now: Date,
): Promise<UserChange> {
  const passwordHash = await hashPassword(password)
  return changeUser(organizationId, userId, async (sql, user) => {
    await sql('update app_user set password_hash = $3 where organization_id = $1 and id = $2', [
      organizationId,
      userId,
      passwordHash,
    ])
    await closeLinks(sql, { organizationId, userId }, now)
    const endedSessions = await endSessionsOf(sql, organizationId, userId, now)
    await note(sql, organizationId, user, { actor, action: 'people.password', after: { endedSessions } })
    return { kind: 'done', endedSessions }
  })
}

/** Signs a user out everywhere. */
export function signOutUser(
  organizationId: OrganizationId,
  userId: UserId,
  actor: Actor,
  now: Date,
): Promise<UserChange> {
  return changeUser(organizationId, userId, async (sql, user) => {
    const endedSessions = await endSessionsOf(sql, organizationId, userId, now)
    await note(sql, organizationId, user, { actor, action: 'people.sign-out', after: { endedSessions } })
    return { kind: 'done', endedSessions }
  })
}

/** Gives a user another name. */
export function renameUser(
  organizationId: OrganizationId,
  userId: UserId,
  name: string,
  actor: Actor,
): Promise<UserChange> {
  return changeUser(organizationId, userId, async (sql, user) => {
    if (user.name === name) return DONE
    await sql('update app_user set name = $3 where organization_id = $1 and id = $2', [organizationId, userId, name])
    await note(sql, organizationId, user, {
      actor,
      action: 'people.name',
      before: { name: user.name },
      after: { name },
    })
    return DONE
  })
}

/** Gives a user another role. */
export function setRole(organizationId: OrganizationId, userId: UserId, role: Role, actor: Actor): Promise<UserChange> {
  return changeUser(organizationId, userId, async (sql, user) => {
    if (user.role === role) return DONE
    if (user.isManaged) return { kind: 'managed' }
    if (role !== 'admin' && !(await isSpareable(sql, organizationId, userId))) return { kind: 'last-admin' }
    await sql('update app_user set role = $3 where organization_id = $1 and id = $2', [organizationId, userId, role])
    await note(sql, organizationId, user, {
      actor,
      action: 'people.role',
      before: { role: user.role },
      after: { role },
    })
    return DONE
  })
}

/** Keeps a user from signing in, and ends their sessions and what they began to connect. */
export function disableUser(
  organizationId: OrganizationId,
  userId: UserId,
  actor: Actor,
  now: Date,
): Promise<UserChange> {
  return changeUser(organizationId, userId, async (sql, user) => {
    if (!(await isSpareable(sql, organizationId, userId))) return { kind: 'last-admin' }
    if (user.isDisabled) return DONE
    const endedSessions = await endAccess(sql, organizationId, userId, now)
    await note(sql, organizationId, user, { actor, action: 'people.deactivate', after: { endedSessions } })
    return { kind: 'done', endedSessions }
  })
}

/**
 * Ends a user's access at once, in the caller's transaction: nothing of theirs signs in while they
 * are disabled; their sessions, links and half-done sign-ins end, and what they began to connect.
 * By hand or by the directory, this is the one way.
 * @returns the sessions ended.
 */
export async function endAccess(sql: Sql, organizationId: OrganizationId, userId: UserId, now: Date): Promise<number> {
  await sql('update app_user set disabled_at = $3 where organization_id = $1 and id = $2 and disabled_at is null', [
    organizationId,
    userId,
    now,
  ])
  await sql(
    `update connect_intent set spent_at = $3 where organization_id = $1 and user_id = $2 and spent_at is null`,
    [organizationId, userId, now],
  )
  await closeLinks(sql, { organizationId, userId }, now)
  await sql('delete from pending_sign_in where organization_id = $1 and user_id = $2', [organizationId, userId])
  return endSessionsOf(sql, organizationId, userId, now)
}

/** What an admin ended, an admin may give back; what the directory ended, only the directory. */
async function isEndedByDirectory(sql: Sql, organizationId: OrganizationId, userId: UserId): Promise<boolean> {
  const ended = await sql('select from directory_person where organization_id = $1 and user_id = $2 and is_ended', [
    organizationId,
    userId,
  ])
  return ended.length > 0
}

/** Lets a user sign in again with the old password; ended sessions stay ended. */
export function enableUser(organizationId: OrganizationId, userId: UserId, actor: Actor): Promise<UserChange> {
  return changeUser(organizationId, userId, async (sql, user) => {
    if (!user.isDisabled) return DONE
    if (user.isManaged && (await isEndedByDirectory(sql, organizationId, userId))) return { kind: 'managed' }
    await sql('update app_user set disabled_at = null where organization_id = $1 and id = $2', [organizationId, userId])
    await note(sql, organizationId, user, { actor, action: 'people.reactivate' })
    return DONE
  })
}

/**
 * Removes a user for good: they cannot sign in, their address is free for another user, and what
 * they began to connect has ended. Histories go on naming them.
 */
export function removeUser(
  organizationId: OrganizationId,
  userId: UserId,
  actor: Actor,
  now: Date,
): Promise<UserChange> {
  return changeUser(organizationId, userId, async (sql, user) => {
    if (!(await isSpareable(sql, organizationId, userId))) return { kind: 'last-admin' }
    await sql(
      `update app_user set removed_at = $3, email = null, password_hash = null, disabled_at = coalesce(disabled_at, $3)
       where organization_id = $1 and id = $2`,
      [organizationId, userId, now],
    )
    for (const table of MEANS_TO_SIGN_IN)
      await sql(`delete from ${table} where organization_id = $1 and user_id = $2`, [organizationId, userId])
    const endedSessions = await endAccess(sql, organizationId, userId, now)
    const { name, role } = user
    await note(sql, organizationId, user, {
      actor,
      action: 'people.remove',
      before: { name, role },
      after: { endedSessions },
    })
    return { kind: 'done', endedSessions }
  })
}

/**
 * Changes a user in one transaction, with the organization and the user locked: one change of an
 * organization's users at a time.
 */
async function changeUser(
  organizationId: OrganizationId,
  userId: UserId,
  change: (sql: Sql, user: LockedUser) => Promise<UserChange>,
): Promise<UserChange> {
  if (!isUuid(userId)) return { kind: 'missing' }
  return withTenantSql(organizationId, async (sql) => {
    await lockPeople(sql, organizationId)
    const [user] = await sql<LockedUser>(
      `select u.id, u.email, u.name, u.role, u.disabled_at is not null as "isDisabled", ${IS_MANAGED} as "isManaged"
       from app_user u where u.organization_id = $1 and u.id = $2 and u.removed_at is null for update`,
      [organizationId, userId],
    )
    return user === undefined ? { kind: 'missing' } : change(sql, user)
  })
}

function note(
  sql: Sql,
  organizationId: OrganizationId,
  user: LockedUser,
  event: Omit<AuditEvent, 'subject'>,
): Promise<void> {
  return recordAudit(sql, organizationId, { ...event, subject: toSubject(user) })
}

/** A person as the audit names them: by their address, as actors are. */
function toSubject({ id, email }: { id: UserId; email: string }): AuditEvent['subject'] {
  return { kind: 'person', id, name: email }
}
