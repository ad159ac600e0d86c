/**
 * The people who sign in, as admins (page People) and operators (`npm run users`) manage them.
 * Taking anything away from a user ends their sessions in the same transaction. The role is read
 * with each request, so changing it takes effect at once. A removed user is none for any function
 * here: only histories still name them (docs/decisions/030-people.md).
 */

import type { Actor, AuditEvent } from '#lib/audit/model.ts'
import { recordAudit } from '#lib/audit/record-audit.ts'
import { closeLinks, type Holder } from '#lib/auth/links/password-links.ts'
import type { Records } from '#lib/db/records.ts'
import { type Sql, withSystemSql, withTenant, withTenantSql } from '#lib/db/tenant.ts'
import { isUuid, type OrganizationId, type UserId } from '#lib/ids.ts'
import type { KnownUser } from '../model.ts'
import { hashPassword } from '../passwords/password.ts'
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
  return withTenant(organizationId, async (records, sql) => {
    const added = await insertUser(records, organizationId, { ...user, passwordHash }, now)
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
  records: Records,
  organizationId: OrganizationId,
  user: { email: string; name: string; role: Role; passwordHash: string },
  now: Date,
): Promise<{ id: UserId; email: string } | null> {
  const email = toStoredEmail(user.email)
  const { name, role, passwordHash } = user
  const [added] = await records.user.createManyAndReturn({
    data: { organizationId, email, name, role, passwordHash, createdAt: now },
    skipDuplicates: true,
    select: { id: true },
  })
  if (added === undefined) return null
  await records.invitation.deleteMany({ where: { organizationId, email } })
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
  return changeUser(organizationId, userId, async (records, sql, user) => {
    await records.user.updateMany({ where: { organizationId, id: userId }, data: { passwordHash } })
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
  return changeUser(organizationId, userId, async (_records, sql, user) => {
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
  return changeUser(organizationId, userId, async (records, sql, user) => {
    if (user.name === name) return DONE
    await records.user.updateMany({ where: { organizationId, id: userId }, data: { name } })
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
  return changeUser(organizationId, userId, async (records, sql, user) => {
    if (user.role === role) return DONE
    if (user.isManaged) return { kind: 'managed' }
    if (role !== 'admin' && !(await isSpareable(sql, organizationId, userId))) return { kind: 'last-admin' }
    await records.user.updateMany({ where: { organizationId, id: userId }, data: { role } })
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
  return changeUser(organizationId, userId, async (records, sql, user) => {
    if (!(await isSpareable(sql, organizationId, userId))) return { kind: 'last-admin' }
    if (user.isDisabled) return DONE
    const endedSessions = await endAccess(records, sql, { organizationId, userId }, now)
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
export async function endAccess(records: Records, sql: Sql, person: Holder, now: Date): Promise<number> {
  const { organizationId, userId } = person
  await records.user.updateMany({ where: { organizationId, id: userId, disabledAt: null }, data: { disabledAt: now } })
  await records.connectIntent.updateMany({ where: { ...person, spentAt: null }, data: { spentAt: now } })
  await closeLinks(sql, person, now)
  await records.pendingSignIn.deleteMany({ where: person })
  return endSessionsOf(sql, organizationId, userId, now)
}

/** What an admin ended, an admin may give back; what the directory ended, only the directory. */
async function isEndedByDirectory(records: Records, person: Holder): Promise<boolean> {
  const ended = await records.directoryPerson.findFirst({
    where: { ...person, isEnded: true },
    select: { userId: true },
  })
  return ended !== null
}

/** Lets a user sign in again with the old password; ended sessions stay ended. */
export function enableUser(organizationId: OrganizationId, userId: UserId, actor: Actor): Promise<UserChange> {
  return changeUser(organizationId, userId, async (records, sql, user) => {
    if (!user.isDisabled) return DONE
    if (user.isManaged && (await isEndedByDirectory(records, { organizationId, userId }))) return { kind: 'managed' }
    await records.user.updateMany({ where: { organizationId, id: userId }, data: { disabledAt: null } })
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
  return changeUser(organizationId, userId, async (records, sql, user) => {
    if (!(await isSpareable(sql, organizationId, userId))) return { kind: 'last-admin' }
    const person = { organizationId, userId }
    const endedSessions = await endAccess(records, sql, person, now)
    await records.user.updateMany({
      where: { organizationId, id: userId },
      data: { removedAt: now, email: null, passwordHash: null },
    })
    // whatever else than a password somebody signs in with
    await records.authenticator.deleteMany({ where: person })
    await records.recoveryCode.deleteMany({ where: person })
    await records.passkey.deleteMany({ where: person })
    await records.userIdentity.deleteMany({ where: person })
    // nobody else sees them; what was saved for everybody stays
    await records.defaultView.deleteMany({ where: person })
    await records.savedView.deleteMany({ where: { organizationId, ownerId: userId } })
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
  change: (records: Records, sql: Sql, user: LockedUser) => Promise<UserChange>,
): Promise<UserChange> {
  if (!isUuid(userId)) return { kind: 'missing' }
  return withTenant(organizationId, async (records, sql) => {
    await lockPeople(sql, organizationId)
    const [user] = await sql<LockedUser>(
      `select u.id, u.email, u.name, u.role, u.disabled_at is not null as "isDisabled", ${IS_MANAGED} as "isManaged"
       from app_user u where u.organization_id = $1 and u.id = $2 and u.removed_at is null for update`,
      [organizationId, userId],
    )
    return user === undefined ? { kind: 'missing' } : change(records, sql, user)
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
