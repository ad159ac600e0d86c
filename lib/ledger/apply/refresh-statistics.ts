import { withTenantSql } from '#lib/db/tenant.ts'
import type { OrganizationId } from '#lib/ids.ts'

/** PostgreSQL's is 100: it looks at 300 rows for each. */
const ROUGH_TARGET = 20

/**
 * Makes the planner's statistics of the ledger anew: a second or so, whatever its size, beside all
 * other work; a quarter of it when a rough look will do. PostgreSQL does it by itself, a minute and
 * a tenth of the table later.
 */
export async function refreshStatistics(
  organizationId: OrganizationId,
  { isRough }: { isRough: boolean },
): Promise<void> {
  await withTenantSql(organizationId, async (sql) => {
    if (isRough) await sql(`set local default_statistics_target = ${ROUGH_TARGET}`)
    await sql('select refresh_statistics()')
  })
}
