import type { Actor } from '#lib/audit/model.ts'
import { recordAudit } from '#lib/audit/record-audit.ts'
import { withTenantSql } from '#lib/db/tenant.ts'
import type { OrganizationId } from '#lib/ids.ts'

/**
 * Leaves the parts of a large decision that are not applied yet; what is applied stays. False when
 * nothing of it is under way.
 */
export function stopDecision(organizationId: OrganizationId, actor: Actor, number: string): Promise<boolean> {
  return withTenantSql(organizationId, async (sql) => {
    const [stopped] = await sql<{ seenLines: number }>(
      `update decision set state = 'stopped', ended_at = now()
       where organization_id = $1 and number = $2::bigint and state = 'applying' returning seen_lines::int as "seenLines"`,
      [organizationId, number],
    )
    if (stopped === undefined) return false
    await recordAudit(sql, organizationId, {
      actor,
      action: 'review.stopped',
      subject: { kind: 'decision', id: number },
      after: { linesSoFar: stopped.seenLines },
    })
    return true
  })
}
