/**
 * The people who sign in, as an operator manages them (`npm run users`). Taking anything away from
 * a user ends their sessions in the same transaction. The role is read with each request, so
 * changing it takes effect at once.
 */

import type { Records } from '#lib/db/records.ts'
import { type Sql, withSystem, withTenant, withTenantSql } from '#lib/db/tenant.ts'
import type { OrganizationId, UserId } from '#lib/ids.ts'
import { hashPassword } from './password.ts'
import type { Role } from './permissions.ts'
import { endSessionsOf } from './sessions.ts'

export type Organization = { id: string; name: string }

export type KnownUser = {
  organizationId: OrganizationId
  organizationName: string
  userId: UserId
  email: string
  name: string
  role: Role
  isDisabled: boolean
  /** Browsers in which the user is signed in. */
  sessions: number
}

/** Every organization, by name. */
export function listOrganizations(): Promise<Organization[]> {
  return withSystem((records) =>
    records.organization.findMany({ orderBy: [{ name: 'asc' }, { id: 'asc' }], select: { id: true, name: true } }),
  )
}

/** Users of the organization, or of all when it is null, by organization and email. */
export function listUsers(organizationId: OrganizationId | null, now: Date): Promise<KnownUser[]> {
  return readUsers(organizationId === null ? {} : { organizationId }, now)
}

/** The user with this address, in any organization, or null: an address has at most one user. */
export async function findUserByEmail(email: string, now: Date): Promise<KnownUser | null> {
  const [user] = await readUsers({ email: toStoredEmail(email) }, now)
  return user ?? null
}

async function readUsers(where: { organizationId?: OrganizationId; email?: string }, now: Date): Promise<KnownUser[]> {
  const users = await withSystem((records) =>
    records.user.findMany({
      where,
      orderBy: [{ organization: { name: 'asc' } }, { organizationId: 'asc' }, { email: 'asc' }],
      select: {
        id: true,
        email: true,
        name: true,
        role: true,
        disabledAt: true,
        organization: true,
        _count: { select: { userSessions: { where: { endedAt: null, expiresAt: { gt: now } } } } },
      },
      relationLoadStrategy: 'join',
    }),
  )
  return users.map(({ id, role, disabledAt, organization, _count, ...user }) => ({
    ...user,
    organizationId: organization.id,
    organizationName: organization.name,
    userId: id,
    // the table's check constraint knows the same roles
    role: role as Role,
    isDisabled: disabledAt !== null,
    sessions: _count.userSessions,
  }))
}

function toStoredEmail(email: string): string {
  return email.trim().toLowerCase()
}

/** Adds a user; false, with nothing changed, when the address is taken in any organization. */
export async function addUser(
  organizationId: OrganizationId,
  user: { email: string; name: string; role: Role; password: string },
  now: Date,
): Promise<boolean> {
  const passwordHash = await hashPassword(user.password)
  const added = await withTenant(organizationId, (records) =>
    records.user.createMany({
      data: {
        organizationId,
        email: toStoredEmail(user.email),
        name: user.name,
        role: user.role,
        passwordHash,
        createdAt: now,
      },
      skipDuplicates: true,
    }),
  )
  return added.count === 1
}

/** Sets another password and signs the user out everywhere. @returns the sessions ended. */
export async function setPassword(
  organizationId: OrganizationId,
  userId: UserId,
  password: string,
  now: Date,
): Promise<number> {
  const passwordHash = await hashPassword(password)
  return withTenant(organizationId, async (records, sql) => {
    await records.user.updateMany({ where: { organizationId, id: userId }, data: { passwordHash } })
    return endSessionsOf(sql, organizationId, userId, now)
  })
}

/** Signs a user out everywhere. @returns the number of sessions ended. */
export function signOutUser(organizationId: OrganizationId, userId: UserId, now: Date): Promise<number> {
  return withTenantSql(organizationId, async (sql) => {
    await sql('select from app_user where organization_id = $1 and id = $2 for update', [organizationId, userId])
    return endSessionsOf(sql, organizationId, userId, now)
  })
}

/** Gives a user another role; false for the organization's last admin who can sign in. */
export function setRole(organizationId: OrganizationId, userId: UserId, role: Role): Promise<boolean> {
  return withTenant(organizationId, async (records, sql) => {
    if (role !== 'admin' && !(await hasOtherAdmin(records, sql, organizationId, userId))) return false
    await records.user.updateMany({ where: { organizationId, id: userId }, data: { role } })
    return true
  })
}

/**
 * Keeps a user from signing in and ends their sessions. @returns their number; null, with nothing
 * changed, for the organization's last admin who can sign in.
 */
export function disableUser(organizationId: OrganizationId, userId: UserId, now: Date): Promise<number | null> {
  return withTenant(organizationId, async (records, sql) => {
    if (!(await hasOtherAdmin(records, sql, organizationId, userId))) return null
    return endAccess(sql, organizationId, userId, now)
  })
}

/**
 * Ends a user's access at once, in the caller's transaction: nothing of theirs signs in while they
 * are disabled, and their sessions end. By hand or by the directory, this is the one way.
 * @returns the sessions ended.
 */
export async function endAccess(sql: Sql, organizationId: OrganizationId, userId: UserId, now: Date): Promise<number> {
  await sql('update app_user set disabled_at = $3 where organization_id = $1 and id = $2 and disabled_at is null', [
    organizationId,
    userId,
    now,
  ])
  return endSessionsOf(sql, organizationId, userId, now)
}

/** Lets a user sign in again with the old password; ended sessions stay ended. */
export async function enableUser(organizationId: OrganizationId, userId: UserId): Promise<void> {
  await withTenant(organizationId, (records) =>
    records.user.updateMany({ where: { organizationId, id: userId }, data: { disabledAt: null } }),
  )
}

/**
 * True when the organization keeps an admin who can sign in, whatever happens to this user. Locks
 * the organization: one caller at a time.
 */
export async function hasOtherAdmin(
  records: Records,
  sql: Sql,
  organizationId: OrganizationId,
  userId: UserId,
): Promise<boolean> {
  // without the lock, two admins demoting each other at once would each still see the other
  await sql('select from organization where id = $1 for update', [organizationId])
  const admins = await records.user.findMany({
    where: { organizationId, role: 'admin', disabledAt: null },
    select: { id: true, passwordHash: true },
  })
  const isAdmin = admins.some(({ id }) => id === userId)
  return !isAdmin || admins.some(({ id, passwordHash }) => id !== userId && passwordHash !== null)
}
