import { withTenantSql } from '#lib/db/tenant.ts'
import type { OrganizationId } from '#lib/ids.ts'

/** PostgreSQL's is 100: it looks at 300 rows for each. */
const ROUGH_TARGET = 20

export type Refresh = (organizationId: OrganizationId, how: { isRough: boolean }) => Promise<void>

/**
 * Makes the planner's statistics of the ledger anew: a second or so, whatever its size, beside all
 * other work; a quarter of it when a rough look will do. PostgreSQL does it by itself, a minute and
 * a tenth of the table later.
 */
export const refreshStatistics = toRefresh('select refresh_statistics()')

/** The same of where lines stand after what people decided. */
export const refreshReviewStatistics = toRefresh('select refresh_review_statistics()')

function toRefresh(statement: string): Refresh {
  return (organizationId, { isRough }) =>
    withTenantSql(organizationId, async (sql) => {
      if (isRough) await sql(`set local default_statistics_target = ${ROUGH_TARGET}`)
      await sql(statement)
    })
}
