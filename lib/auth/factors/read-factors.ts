import { withTenantSql } from '#lib/db/tenant.ts'
import type { OrganizationId, UserId } from '#lib/ids.ts'
import { isFreshSession, type SessionName } from './fresh-session.ts'
import type { Person } from './person.ts'

/** What a person has besides the password. */
export type Factors = { isOn: boolean; since: Date | null; codesLeft: number; hasPassword: boolean }

export function readFactors({ organizationId, userId }: Person): Promise<Factors> {
  return withTenantSql(organizationId, async (sql) => {
    const [found] = await sql<Factors>(
      `select a.confirmed_at is not null as "isOn", a.confirmed_at as since,
         (select count(*)::int from recovery_code c where c.organization_id = u.organization_id and c.user_id = u.id
            and c.used_at is null) as "codesLeft",
         u.password_hash is not null as "hasPassword"
       from app_user u
       left join authenticator a on a.organization_id = u.organization_id and a.user_id = u.id
       where u.organization_id = $1 and u.id = $2`,
      [organizationId, userId],
    )
    return found ?? { isOn: false, since: null, codesLeft: 0, hasPassword: false }
  })
}

/** Whether a session has just shown whose it is, and how it could (fresh-session.ts). */
export type Confirmation = { isFresh: boolean; hasPassword: boolean }

export async function readConfirmation(session: Person & SessionName, now: Date): Promise<Confirmation> {
  const [isFresh, { hasPassword }] = await Promise.all([isFreshSession(session, now), readFactors(session)])
  return { isFresh, hasPassword }
}

/** A colleague as the page of people shows them: what could be reset. */
export type PersonFactors = { userId: UserId; name: string; email: string; isOn: boolean; passkeys: number }

/** Everybody who may sign in, by name. */
export function listFactors(organizationId: OrganizationId): Promise<PersonFactors[]> {
  return withTenantSql(organizationId, (sql) =>
    sql<PersonFactors>(
      `select u.id as "userId", u.name, u.email, a.confirmed_at is not null as "isOn",
         (select count(*)::int from passkey p
          where p.organization_id = u.organization_id and p.user_id = u.id) as passkeys
       from app_user u
       left join authenticator a on a.organization_id = u.organization_id and a.user_id = u.id
       where u.organization_id = $1 and u.disabled_at is null order by u.name, u.email`,
      [organizationId],
    ),
  )
}
