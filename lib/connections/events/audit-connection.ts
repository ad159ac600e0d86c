import type { AuditEvent } from '#lib/audit/model.ts'
import { recordAudit } from '#lib/audit/record-audit.ts'
import type { Sql } from '#lib/db/tenant.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'

/** As `recordAudit`, about a connection under the name that it has now; null for one to be made. */
export async function auditConnection(
  sql: Sql,
  organizationId: OrganizationId,
  connectionId: ConnectionId | null,
  event: Omit<AuditEvent, 'subject'>,
): Promise<void> {
  const [connection] = await sql<{ name: string | null }>(
    'select name from connection where organization_id = $1 and id = $2',
    [organizationId, connectionId],
  )
  const subject = { kind: 'connection', id: connectionId, name: connection?.name ?? null }
  await recordAudit(sql, organizationId, { ...event, subject })
}

/**
 * By organization: two that lock the ends of several organizations' chains in one order never wait
 * for each other.
 */
export function inOrder<Of extends { organizationId: OrganizationId }>(concerned: readonly Of[]): Of[] {
  return concerned.toSorted((one, other) => (one.organizationId < other.organizationId ? -1 : 1))
}
