/** A file that leaves: the audit tells when it was asked for, and once how it ended. */
import { randomUUID } from 'node:crypto'
import type { Actor, AuditAction, AuditSubject } from '#lib/audit/model.ts'
import { recordAudit } from '#lib/audit/record-audit.ts'
import { withTenantSql } from '#lib/db/tenant.ts'
import type { OrganizationId } from '#lib/ids.ts'
import { log } from '#lib/log.ts'
import type { FileEnd } from './csv-stream.ts'

export type AuditedFile = {
  actor: Actor
  subject: AuditSubject
  /** What was asked for. */
  asked: Record<string, unknown>
  actions: { started: AuditAction; ended: AuditAction }
}

/** Files of the ledger's lists. */
export const LIST_FILE = { started: 'export.started', ended: 'export.ended' } as const
/** Files of the audit itself. */
export const AUDIT_FILE = { started: 'audit.export-started', ended: 'audit.export-ended' } as const

/**
 * Records that the file was asked for, before anything of it can leave, then opens it. `open` gets
 * what has to be told when the file ends: with its rows and bytes, or that it broke off.
 * @throws what `open` throws; then the file has ended without a row.
 */
export async function openAudited<Opened>(
  organizationId: OrganizationId,
  { actor, subject, asked, actions }: AuditedFile,
  open: (onEnd: (end: FileEnd) => Promise<void>) => Promise<Opened>,
): Promise<Opened> {
  const record = (action: AuditAction, after: Record<string, unknown>) =>
    withTenantSql(organizationId, (sql) => recordAudit(sql, organizationId, { actor, action, subject, after }))
  // by which a page shows the two entries as one
  const file = randomUUID()
  await record(actions.started, { ...asked, file })
  const onEnd = (end: FileEnd) =>
    record(actions.ended, { ...asked, file, ...end }).catch((error: unknown) =>
      log.error({ reason: String(error), end }, 'how a file ended could not be recorded'),
    )
  try {
    return await open(onEnd)
  } catch (error) {
    await onEnd({ outcome: 'broken off', rows: 0, bytes: 0 })
    throw error
  }
}
