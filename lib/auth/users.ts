/**
 * The people who sign in, as an operator manages them (`npm run users`). Whatever takes something away from a user ends his
 * sessions in the same transaction; a role is read with each request, so that a change of it counts at once.
 */
import { type Sql, withSystemSql, withTenantSql } from '../db/tenant.ts'
import type { Role } from './model.ts'
import { hashPassword } from './password.ts'
import { endSessionsOf } from './sessions.ts'

export type Organization = { id: string; name: string }

export type KnownUser = {
  organizationId: string
  organizationName: string
  userId: string
  email: string
  name: string
  role: Role
  isDisabled: boolean
  /** Browsers in which he is signed in. */
  sessions: number
}

/** Every organization, by name. */
export function listOrganizations(): Promise<Organization[]> {
  return withSystemSql((sql) => sql<Organization>('select id, name from organization order by name, id'))
}

/** Users of the organization, or of all when it is null, by organization and email. */
export function listUsers(organizationId: string | null, now: Date): Promise<KnownUser[]> {
  return withSystemSql((sql) => readUsers(sql, '($1::uuid is null or u.organization_id = $1)', organizationId, now))
}

/** The user of an address, of whatever organization, or null: an address belongs to one user at most. */
export async function findUserByEmail(email: string, now: Date): Promise<KnownUser | null> {
  const [user] = await withSystemSql((sql) => readUsers(sql, 'u.email = $1', toStoredEmail(email), now))
  return user ?? null
}

function readUsers(sql: Sql, condition: string, value: string | null, now: Date): Promise<KnownUser[]> {
  return sql<KnownUser>(
    `select o.id as "organizationId", o.name as "organizationName", u.id as "userId", u.email, u.name, u.role,
            u.disabled_at is not null as "isDisabled",
            (select count(*)::int from user_session s
             where s.organization_id = u.organization_id and s.user_id = u.id and s.ended_at is null and s.expires_at > $2) as sessions
     from app_user u join organization o on o.id = u.organization_id
     where ${condition} order by o.name, o.id, u.email`,
    [value, now],
  )
}

function toStoredEmail(email: string): string {
  return email.trim().toLowerCase()
}

/** Adds a user; false, and nothing is changed, when the address is somebody's already, in whatever organization. */
export async function addUser(
  organizationId: string,
  user: { email: string; name: string; role: Role; password: string },
  now: Date,
): Promise<boolean> {
  const passwordHash = await hashPassword(user.password)
  const added = await withTenantSql(organizationId, (sql) =>
    sql(
      `insert into app_user (organization_id, email, name, role, password_hash, created_at) values ($1, $2, $3, $4, $5, $6)
       on conflict (email) do nothing returning id`,
      [organizationId, toStoredEmail(user.email), user.name, user.role, passwordHash, now],
    ),
  )
  return added.length === 1
}

/** Gives a user another password and signs him out everywhere; resolves to the number of sessions that this ended. */
export async function setPassword(
  organizationId: string,
  userId: string,
  password: string,
  now: Date,
): Promise<number> {
  const passwordHash = await hashPassword(password)
  return withTenantSql(organizationId, async (sql) => {
    await sql('update app_user set password_hash = $3 where organization_id = $1 and id = $2', [
      organizationId,
      userId,
      passwordHash,
    ])
    return endSessionsOf(sql, organizationId, userId, now)
  })
}

/** Signs a user out everywhere; resolves to the number of sessions that this ended. */
export function signOutUser(organizationId: string, userId: string, now: Date): Promise<number> {
  return withTenantSql(organizationId, async (sql) => {
    await sql('select from app_user where organization_id = $1 and id = $2 for update', [organizationId, userId])
    return endSessionsOf(sql, organizationId, userId, now)
  })
}

/** Gives a user another role; false, and nothing is changed, when he is the last admin of his organization who can sign in. */
export function setRole(organizationId: string, userId: string, role: Role): Promise<boolean> {
  return withTenantSql(organizationId, async (sql) => {
    if (role !== 'admin' && !(await hasOtherAdmin(sql, organizationId, userId))) return false
    await sql('update app_user set role = $3 where organization_id = $1 and id = $2', [organizationId, userId, role])
    return true
  })
}

/**
 * Keeps a user from signing in and ends his sessions; resolves to their number, or to null, with nothing changed, when he is
 * the last admin of his organization who can sign in.
 */
export function disableUser(organizationId: string, userId: string, now: Date): Promise<number | null> {
  return withTenantSql(organizationId, async (sql) => {
    if (!(await hasOtherAdmin(sql, organizationId, userId))) return null
    await sql('update app_user set disabled_at = coalesce(disabled_at, $3) where organization_id = $1 and id = $2', [
      organizationId,
      userId,
      now,
    ])
    return endSessionsOf(sql, organizationId, userId, now)
  })
}

/** Lets a user sign in again, with the password he had; his sessions stay ended. */
export async function enableUser(organizationId: string, userId: string): Promise<void> {
  await withTenantSql(organizationId, (sql) =>
    sql('update app_user set disabled_at = null where organization_id = $1 and id = $2', [organizationId, userId]),
  )
}

/** True when the organization is left with an admin who can sign in, whatever becomes of this user. One asks at a time. */
async function hasOtherAdmin(sql: Sql, organizationId: string, userId: string): Promise<boolean> {
  // two who take the role from each other at once would both still see the other
  await sql('select from organization where id = $1 for update', [organizationId])
  const [user] = await sql<{ isAdmin: boolean; hasOther: boolean }>(
    `select u.role = 'admin' and u.disabled_at is null as "isAdmin",
            exists (select from app_user a where a.organization_id = $1 and a.id <> $2 and a.role = 'admin'
                      and a.disabled_at is null and a.password_hash is not null) as "hasOther"
     from app_user u where u.organization_id = $1 and u.id = $2`,
    [organizationId, userId],
  )
  return user?.isAdmin !== true || user.hasOther
}
