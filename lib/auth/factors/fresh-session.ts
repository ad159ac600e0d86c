/**
 * Ways to sign in are changed only in a session whose person has just shown who they are: one that
 * began, or had its password typed again, within ten minutes.
 */
import { withTenantSql } from '#lib/db/tenant.ts'
import type { OrganizationId } from '#lib/ids.ts'

const FRESH_MS = 10 * 60_000

/** Names a session, and is not usable as it. */
export type SessionName = { organizationId: OrganizationId; sessionIdHash: string }

export function isFreshSession({ organizationId, sessionIdHash }: SessionName, now: Date): Promise<boolean> {
  return withTenantSql(organizationId, async (sql) => {
    const fresh = await sql(
      `select from user_session
       where organization_id = $1 and id_hash = $2 and greatest(created_at, confirmed_at) > $3`,
      [organizationId, sessionIdHash, new Date(now.getTime() - FRESH_MS)],
    )
    return fresh.length === 1
  })
}

/** After the password was typed again in this session. */
export async function refreshSession({ organizationId, sessionIdHash }: SessionName, now: Date): Promise<void> {
  await withTenantSql(organizationId, (sql) =>
    sql('update user_session set confirmed_at = $3 where organization_id = $1 and id_hash = $2', [
      organizationId,
      sessionIdHash,
      now,
    ]),
  )
}
