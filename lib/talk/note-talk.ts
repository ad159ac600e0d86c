import type { Actor, AuditEvent } from '#lib/audit/model.ts'
import { recordAudit } from '#lib/audit/record-audit.ts'
import type { Sql } from '#lib/db/tenant.ts'
import type { OrganizationId, UserId } from '#lib/ids.ts'
import type { Subject } from './model.ts'

/** Who says or gives something; `name` is kept beside it. */
export type Writer = { userId: UserId; name: string; actor: Actor }

/**
 * Notes it in the audit, which is kept longer than an account's data: by the subject's key alone,
 * and never with what was said.
 */
export function noteTalk(
  sql: Sql,
  organizationId: OrganizationId,
  { kind, connectionId, key }: Subject,
  event: Omit<AuditEvent, 'subject'>,
): Promise<void> {
  const after = { ...event.after, ...(connectionId !== null && { connection: connectionId }) }
  return recordAudit(sql, organizationId, { ...event, subject: { kind, id: key, name: `${kind} ${key}` }, after })
}
