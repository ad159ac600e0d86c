import type { Actor } from '#lib/audit/model.ts'
import { recordAudit } from '#lib/audit/record-audit.ts'
import { withTenant } from '#lib/db/tenant.ts'
import type { OrganizationId } from '#lib/ids.ts'

/** Whether everybody who has a password needs a second step. */
export async function isSecondStepRequired(organizationId: OrganizationId): Promise<boolean> {
  const found = await withTenant(organizationId, (records) =>
    records.organization.findFirst({ where: { id: organizationId }, select: { secondStepRequired: true } }),
  )
  return found?.secondStepRequired ?? false
}

/** From the next request on, people without a second step may only set one up. */
export async function requireSecondStep(
  organizationId: OrganizationId,
  required: boolean,
  actor: Actor,
): Promise<void> {
  await withTenant(organizationId, async (records, sql) => {
    const [was] = await sql<{ required: boolean }>(
      'select second_step_required as required from organization where id = $1 for no key update',
      [organizationId],
    )
    if (was === undefined || was.required === required) return
    await records.organization.updateMany({ where: { id: organizationId }, data: { secondStepRequired: required } })
    await recordAudit(sql, organizationId, {
      actor,
      action: 'second-step.require',
      subject: { kind: 'organization', id: organizationId },
      before: was,
      after: { required },
    })
  })
}
