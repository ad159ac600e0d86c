import type { Sql } from '#lib/db/tenant.ts'
import type { OrganizationId } from '#lib/ids.ts'
import type { AuditEvent } from './model.ts'

/**
 * Writes one entry, in the transaction that does what it tells of: both happen or neither. The
 * database numbers, dates and chains it. Locks the end of the organization's chain until the
 * transaction ends, so it belongs near the end of a short one.
 */
export async function recordAudit(sql: Sql, organizationId: OrganizationId, event: AuditEvent): Promise<void> {
  const { actor, action, subject, before, after } = event
  await sql(
    `insert into audit_entry (organization_id, actor_kind, actor_id, actor_name, network, action,
       subject_kind, subject_id, subject_name, before, after)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      organizationId,
      actor.kind,
      actor.kind === 'person' ? actor.userId : null,
      actor.name,
      'network' in actor ? actor.network : null,
      action,
      subject?.kind ?? null,
      subject?.id ?? null,
      subject?.name ?? null,
      toText(before),
      toText(after),
    ],
  )
}

/** PostgreSQL's text cannot hold NUL, and JSON writes it as an escape. */
function toText(value: Record<string, unknown> | undefined): string | null {
  return value === undefined ? null : JSON.stringify(value)
}
