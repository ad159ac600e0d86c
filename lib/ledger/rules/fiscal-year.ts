import { withTenantSql } from '#lib/db/tenant.ts'
import type { OrganizationId } from '#lib/ids.ts'

/** Sets with which month the organization's fiscal year begins: 1 to 12. */
export async function setFiscalMonth(organizationId: OrganizationId, month: number): Promise<void> {
  await withTenantSql(organizationId, (sql) =>
    sql('update organization set fiscal_month = $2 where id = $1', [organizationId, month]),
  )
}
