import { type Sql, withTenantSql } from '#lib/db/tenant.ts'
import type { OrganizationId, UserId } from '#lib/ids.ts'

/** The organization takes no password from this user; the words lead to single sign-on. */
export class SingleSignOnRequiredError extends Error {}

/**
 * True when this user must sign in through the organization's identity provider: it is enforced,
 * and the user is no break-glass admin. Whatever takes or sets a password asks this
 * (docs/decisions/033-single-sign-on.md).
 */
export async function requiresSingleSignOn(sql: Sql, organizationId: OrganizationId, userId: UserId): Promise<boolean> {
  const [found] = await sql<{ isRequired: boolean }>(
    `select exists (select from single_sign_on where organization_id = $1 and mode = 'enforced')
       and not exists (select from app_user where organization_id = $1 and id = $2 and role = 'admin' and break_glass)
       as "isRequired"`,
    [organizationId, userId],
  )
  return found?.isRequired ?? false
}

/** `requiresSingleSignOn`, in a transaction of its own. */
export function refusesPassword(user: { organizationId: OrganizationId; userId: UserId }): Promise<boolean> {
  return withTenantSql(user.organizationId, (sql) => requiresSingleSignOn(sql, user.organizationId, user.userId))
}
