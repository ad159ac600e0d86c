import { withTenantSnapshot } from '#lib/db/tenant.ts'
import type { OrganizationId, UserId } from '#lib/ids.ts'
import type { ReviewNews } from '../model.ts'

const MOST_LISTED = 5

/**
 * The last decision and the last fall of an organization, and what others than this person decided
 * after that decision; nothing of it without one. Pages ask every few seconds: it reads two rows.
 */
export function listNews(organizationId: OrganizationId, userId: UserId, after: string | null): Promise<ReviewNews> {
  return withTenantSnapshot(organizationId, async (sql) => {
    const [last] = await sql<Omit<ReviewNews, 'others'>>(
      `select coalesce((select last_number from decision_head where organization_id = $1), 0)::text as decision,
         coalesce((select max(id) from line_fall where organization_id = $1), 0)::text as fall`,
      [organizationId],
    )
    const others = await sql<ReviewNews['others'][number]>(
      `select number::text, kind, actor_name as name, greatest(line_count, invoice_count)::int as "lineCount",
         case when invoice_count > 0 then 'invoice' else 'line' end as of from decision
       where organization_id = $1 and number > $2::bigint and actor_id is distinct from $3
       order by number desc limit ${MOST_LISTED}`,
      [organizationId, after ?? last?.decision ?? '0', userId],
    )
    return { decision: last?.decision ?? '0', fall: last?.fall ?? '0', others }
  })
}
