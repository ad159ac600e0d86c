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
      toStorable(actor.name),
      'network' in actor ? toStorable(actor.network) : null,
      action,
      subject?.kind ?? null,
      toStorable(subject?.id),
      toStorable(subject?.name),
      toJson(before),
      toJson(after),
    ],
  )
}

/** PostgreSQL's text cannot hold NUL, and no action may fail because of a name. */
function toStorable(text: string | null | undefined): string | null {
  return text?.replaceAll('\0', '\ufffd') ?? null
}

/** JSON writes NUL, and half a surrogate pair, as an escape. */
function toJson(value: Record<string, unknown> | undefined): string | null {
  return value === undefined ? null : JSON.stringify(value)
}
