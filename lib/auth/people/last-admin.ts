import type { Sql } from '#lib/db/tenant.ts'
import type { OrganizationId, UserId } from '#lib/ids.ts'

/**
 * One change of an organization's people at a time, until the transaction ends: without it, two
 * admins demoting each other at once would each still see the other. It lets pass the foreign keys
 * of new entries, which would wait for it in the other order.
 */
export async function lockPeople(sql: Sql, organizationId: OrganizationId): Promise<void> {
  await sql('select from organization where id = $1 for no key update', [organizationId])
}

/**
 * True when the organization has an admin who can sign in, other than `without`. Who can: with a
 * password; by single sign-on where it is on and knows them; and where it is enforced, only a
 * break-glass admin with a password counts, since the provider may fail. The caller holds
 * `lockPeople`.
 */
export async function hasAdminBesides(
  sql: Sql,
  organizationId: OrganizationId,
  without: UserId | null,
): Promise<boolean> {
  const [found] = await sql<{ isKept: boolean }>(
    `select exists (
       select from app_user u left join single_sign_on s on s.organization_id = u.organization_id
       where u.organization_id = $1 and u.id is distinct from $2 and u.role = 'admin' and u.disabled_at is null
         and case coalesce(s.mode, 'off')
           when 'enforced' then u.break_glass and u.password_hash is not null
           when 'optional' then u.password_hash is not null or exists (
             select from user_identity i
             where i.organization_id = u.organization_id and i.user_id = u.id and i.issuer = s.issuer)
           else u.password_hash is not null
         end) as "isKept"`,
    [organizationId, without],
  )
  return found?.isKept ?? false
}

/**
 * True when the organization keeps an admin who can sign in, whatever happens to this user. The
 * caller holds `lockPeople`.
 */
export async function isSpareable(sql: Sql, organizationId: OrganizationId, userId: UserId): Promise<boolean> {
  const isKept = await hasAdminBesides(sql, organizationId, userId)
  if (isKept) return true
  const admins = await sql(
    `select from app_user where organization_id = $1 and id = $2 and role = 'admin' and disabled_at is null`,
    [organizationId, userId],
  )
  return admins.length === 0
}
