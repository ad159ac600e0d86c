import type { Actor } from '#lib/audit/model.ts'
import { recordAudit } from '#lib/audit/record-audit.ts'
import { withTenant } from '#lib/db/tenant.ts'
import type { OrganizationId } from '#lib/ids.ts'
import { fillNameLooks } from './name-looks.ts'

/**
 * Says whether names that look alike count as one, from the next page on. Turned on, it reads the
 * names of all stored lines once: those that came before looks were noted.
 */
export async function setFoldsNames(organizationId: OrganizationId, foldsNames: boolean, actor: Actor): Promise<void> {
  await withTenant(organizationId, async (records, sql) => {
    const [was] = await sql<{ foldsNames: boolean }>(
      'select folds_names as "foldsNames" from organization where id = $1 for no key update',
      [organizationId],
    )
    if (was === undefined || was.foldsNames === foldsNames) return
    if (foldsNames) await fillNameLooks(sql, organizationId)
    await records.organization.updateMany({ where: { id: organizationId }, data: { foldsNames } })
    await recordAudit(sql, organizationId, {
      actor,
      action: 'organization.names',
      subject: { kind: 'organization', id: organizationId },
      before: was,
      after: { foldsNames },
    })
  })
}
