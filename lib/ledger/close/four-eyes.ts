import type { Actor } from '#lib/audit/model.ts'
import { recordAudit } from '#lib/audit/record-audit.ts'
import { withTenantSql } from '#lib/db/tenant.ts'
import type { OrganizationId } from '#lib/ids.ts'

/** `$1` is the organization. */
export const FOUR_EYES = 'select o.four_eyes as "fourEyes" from organization o where o.id = $1'

/** Whether who approves must be another person than who prepared: so unless an admin said no. */
export async function readFourEyes(organizationId: OrganizationId): Promise<boolean> {
  const [row] = await withTenantSql(organizationId, (sql) => sql<{ fourEyes: boolean }>(FOUR_EYES, [organizationId]))
  return row?.fourEyes ?? true
}

/**
 * Says whether who approves must be another person than who prepared, from the next signature on.
 * What is signed stays signed, with the names of who did (docs/decisions/062-sign-off.md).
 */
export async function setFourEyes(organizationId: OrganizationId, fourEyes: boolean, actor: Actor): Promise<void> {
  await withTenantSql(organizationId, async (sql) => {
    const [changed] = await sql(
      'update organization set four_eyes = $2 where id = $1 and four_eyes <> $2 returning true',
      [organizationId, fourEyes],
    )
    if (changed === undefined) return
    await recordAudit(sql, organizationId, {
      actor,
      action: 'organization.four-eyes',
      subject: { kind: 'organization', id: organizationId },
      before: { fourEyes: !fourEyes },
      after: { fourEyes },
    })
  })
}
