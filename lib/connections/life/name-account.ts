import type { Actor } from '#lib/audit/model.ts'
import { recordAudit } from '#lib/audit/record-audit.ts'
import { withTenantSql } from '#lib/db/tenant.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'

/**
 * Gives an account the organization's own name, which every page and file shows; null gives it the
 * platform's name again.
 */
export async function nameAccount(
  organizationId: OrganizationId,
  connectionId: ConnectionId,
  name: string | null,
  actor: Actor,
): Promise<void> {
  await withTenantSql(organizationId, async (sql) => {
    const [was] = await sql<{ name: string | null; platformName: string | null }>(
      `select name, platform_name as "platformName" from connection
       where organization_id = $1 and id = $2 for no key update`,
      [organizationId, connectionId],
    )
    const next = name ?? was?.platformName ?? null
    if (was === undefined || was.name === next) return
    await sql('update connection set name = $3 where organization_id = $1 and id = $2', [
      organizationId,
      connectionId,
      next,
    ])
    await recordAudit(sql, organizationId, {
      actor,
      action: 'connection.name',
      subject: { kind: 'connection', id: connectionId, name: next },
      before: { name: was.name },
      after: { name: next },
    })
  })
}
