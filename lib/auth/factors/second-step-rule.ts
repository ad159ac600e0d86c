import type { Actor } from '#lib/audit/model.ts'
import { recordAudit } from '#lib/audit/record-audit.ts'
import { withTenantSql } from '#lib/db/tenant.ts'
import type { OrganizationId } from '#lib/ids.ts'

/** Whether everybody who has a password needs a second step. */
export function isSecondStepRequired(organizationId: OrganizationId): Promise<boolean> {
  return withTenantSql(organizationId, async (sql) => {
    const [row] = await sql<{ required: boolean }>(
      'select second_step_required as required from organization where id = $1',
      [organizationId],
    )
    return row?.required ?? false
  })
}

/** From the next request on, people without a second step may only set one up. */
export async function requireSecondStep(
  organizationId: OrganizationId,
  required: boolean,
  actor: Actor,
): Promise<void> {
  await withTenantSql(organizationId, async (sql) => {
    const [was] = await sql<{ required: boolean }>(
      'select second_step_required as required from organization where id = $1 for no key update',
      [organizationId],
    )
    if (was === undefined || was.required === required) return
    await sql('update organization set second_step_required = $2 where id = $1', [organizationId, required])
    await recordAudit(sql, organizationId, {
      actor,
      action: 'second-step.require',
      subject: { kind: 'organization', id: organizationId },
      before: was,
      after: { required },
    })
  })
}
