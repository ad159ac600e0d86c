import type { Sql } from '#lib/db/tenant.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import { noteNameLooks } from '../kept/name-looks/name-looks.ts'
import { judgeStagedLines } from '../rules/judge-lines.ts'
import { applyRecords, type BeforeWriting, type WrittenOfPart } from './apply-records.ts'
import type { PackedRecords } from './format-records.ts'
import { LINES } from './line-target.ts'

/** @internal Exported for a test that looks at its plan. */
export const APPLY_LINES_SQL = LINES.statement

type Owner = { organizationId: OrganizationId; connectionId: ConnectionId }

/**
 * Writes proved lines in the caller's transaction. Lines stored with the same content and proof
 * version are not rewritten; what is written was judged by the organization's rules. Rejected
 * records with the same text or id are resolved. Returns what was written, per part.
 */
export async function applyPackedLines(
  sql: Sql,
  owner: Owner,
  lines: PackedRecords,
  beforeWriting?: BeforeWriting,
): Promise<WrittenOfPart[]> {
  const isAny = lines.ids.length > 0
  const written = await applyRecords(sql, LINES, owner, lines, async () => {
    await beforeWriting?.()
    if (isAny) await judgeStagedLines(sql, owner)
  })
  if (written.length > 0) await noteNameLooks(sql, owner.organizationId, lines.oddNames)
  if (isAny) await resolveRejected(sql, owner, lines)
  return written
}

async function resolveRejected(sql: Sql, { organizationId, connectionId }: Owner, lines: PackedRecords) {
  const owner = [organizationId, connectionId]
  const open = `from rejected_line where organization_id = $1 and connection_id = $2 and list = 'lines' and resolved_at is null`
  // usually there is nothing to resolve
  const [isAny] = await sql(`select ${open} limit 1`, owner)
  if (isAny === undefined) return
  await sql(
    `update rejected_line set resolved_at = now() where (organization_id, connection_id, list, raw_hash) in
       (select organization_id, connection_id, list, raw_hash ${open}
          and (raw_hash = any($3::text[]) or record_id = any($4::text[])))`,
    [...owner, lines.textHashes, lines.ids],
  )
}
