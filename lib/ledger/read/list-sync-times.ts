import { withTenantSql } from '#lib/db/tenant.ts'
import type { OrganizationId } from '#lib/ids.ts'

/**
 * When each of the organization's connections last synced successfully (ISO 8601, UTC), oldest
 * connection first; null if it never did. Every list page asks, so it counts nothing and reads the
 * newest succeeded run through its index.
 */
export async function listSyncTimes(organizationId: OrganizationId): Promise<(string | null)[]> {
  const rows = await withTenantSql(organizationId, (sql) =>
    sql<{ syncedAt: Date | null }>(
      `select (select s.finished_at from sync_run s
               where s.organization_id = c.organization_id and s.connection_id = c.id and s.status = 'succeeded'
               order by s.requested_at desc limit 1) as "syncedAt"
       from connection c where c.organization_id = $1::uuid
       order by c.created_at, c.id`,
      [organizationId],
    ),
  )
  return rows.map(({ syncedAt }) => syncedAt?.toISOString() ?? null)
}
