/** The audit as a file: every column that an entry's hash is made of, and the hash itself. */
import type { AuditEntry } from '#lib/audit/model.ts'
import type { OrganizationId } from '#lib/ids.ts'
import { type AuditQuery, writeAuditQuery } from '#lib/ledger/query/audit-query.ts'
import { openAuditExport } from '#lib/ledger/read/list-audit.ts'
import type { CursorReader } from '#lib/ledger/sql/tenant-cursor.ts'
import { AUDIT_FILE, type AuditedFile, openAudited } from './audited-file.ts'
import { type CsvColumn, createCsvWriter } from './csv.ts'
import { toCsvStream } from './csv-stream.ts'

/** @internal The documentation names each. */
export const AUDIT_CSV_COLUMNS: readonly CsvColumn<AuditEntry>[] = [
  { name: 'number', kind: 'count', field: 'number' },
  { name: 'at', kind: 'code', field: 'at' },
  { name: 'actor_kind', kind: 'code', field: 'actorKind' },
  { name: 'actor_id', kind: 'code', field: 'actorId' },
  { name: 'actor_name', kind: 'text', field: 'actorName' },
  { name: 'network', kind: 'text', field: 'network' },
  { name: 'action', kind: 'text', field: 'action' },
  { name: 'subject_kind', kind: 'text', field: 'subjectKind' },
  { name: 'subject_id', kind: 'text', field: 'subjectId' },
  { name: 'subject_name', kind: 'text', field: 'subjectName' },
  { name: 'before', kind: 'text', field: 'before' },
  { name: 'after', kind: 'text', field: 'after' },
  { name: 'organization_id', kind: 'code', field: 'organizationId' },
  { name: 'previous_hash', kind: 'code', field: 'previousHash' },
  { name: 'hash', kind: 'code', field: 'hash' },
]

const WRITER = createCsvWriter(AUDIT_CSV_COLUMNS)

/**
 * All entries that match, newest first. That the audit was exported is in the audit before the file
 * begins, and so in the file, unless its filters leave it out.
 * @throws OperationalError `export-busy`; Error when the database cannot answer.
 */
export function openAuditFile(
  organizationId: OrganizationId,
  reader: CursorReader,
  query: AuditQuery,
  actor: AuditedFile['actor'],
): Promise<ReadableStream<Uint8Array>> {
  const asked = { format: 'csv', filters: writeAuditQuery({ ...query, below: null }) }
  const file = { actor, asked, actions: AUDIT_FILE, subject: { kind: 'file', name: 'audit' } }
  return openAudited(organizationId, file, async (onEnd) =>
    toCsvStream(await openAuditExport(organizationId, reader, query), WRITER, { onEnd }),
  )
}
