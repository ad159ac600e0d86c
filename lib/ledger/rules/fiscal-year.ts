import type { Actor } from '#lib/audit/model.ts'
import { recordAudit } from '#lib/audit/record-audit.ts'
import { withTenantSql } from '#lib/db/tenant.ts'
import type { OrganizationId } from '#lib/ids.ts'

/** Sets with which month the organization's fiscal year begins: 1 to 12. */
export async function setFiscalMonth(organizationId: OrganizationId, month: number, actor: Actor): Promise<void> {
  await withTenantSql(organizationId, async (sql) => {
    const [was] = await sql<{ month: number }>(
      'select fiscal_month as month from organization where id = $1 for no key update',
      [organizationId],
    )
    if (was === undefined || was.month === month) return
    await sql('update organization set fiscal_month = $2 where id = $1', [organizationId, month])
    const subject = { kind: 'organization', id: organizationId }
    await recordAudit(sql, organizationId, {
      actor,
      action: 'checks.fiscal-year',
      subject,
      before: was,
      after: { month },
    })
  })
}
