import type { Sql } from '#lib/db/tenant.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import { toKeptReasons } from '#lib/reconcile/reason.ts'
import { LINE_FIELDS, type ProvedLine } from '#lib/reconcile/records.ts'
import { PROOF_FIELDS } from '../fields/line-fields.ts'
import { toStagedColumns } from '../fields/record-columns.ts'
import { toSearchText } from '../fields/search-text.ts'
import {
  applyRecords,
  type BeforeWriting,
  createPacker,
  type PackedRecords,
  type Packer,
  toApplyTarget,
  type WrittenOfPart,
} from './apply-records.ts'
import { PROOF_VERSION } from './proof-version.ts'

/** How each column of the proof is filled. */
const PROOF_VALUES: { [Name in keyof typeof PROOF_FIELDS]: (line: ProvedLine) => unknown } = {
  expectedTotal: ({ proof }) => proof.expectedTotal,
  difference: ({ proof }) => proof.difference,
  expectedTax: ({ proof }) => proof.expectedTax,
  taxDifference: ({ proof }) => proof.taxDifference,
  findingCodes: ({ proof }) => proof.findings.map(({ code }) => code),
  noteCodes: ({ notes }) => notes,
  explainedCodes: ({ explanations }) => toKeptReasons(explanations)?.explained ?? null,
  reasonCodes: ({ explanations }) => toKeptReasons(explanations)?.reasons ?? null,
}

const LINES = toApplyTarget<ProvedLine>({
  table: 'line',
  key: 'id',
  keyOf: (line) => line.id,
  compared: ['content_hash', 'text_hash', 'proof_version'],
  columns: [
    ...toStagedColumns(LINE_FIELDS, (name) => (line: ProvedLine) => line[name]),
    { name: 'content_hash', type: 'text', value: (line) => line.contentHash },
    { name: 'text_hash', type: 'bytea', value: (line) => line.textHash },
    { name: 'proof_version', type: 'smallint', value: () => PROOF_VERSION },
    ...toStagedColumns(PROOF_FIELDS, (name) => PROOF_VALUES[name]),
    { name: 'search_text', type: 'text', value: toSearchText },
  ],
  // only the panel, history and re-parse read it
  apart: {
    table: 'line_payload',
    key: 'line_id',
    column: 'raw',
    textOf: (line) => line.raw,
  },
})

/** @internal Exported for a test that looks at its plan. */
export const APPLY_LINES_SQL = LINES.statement

type Owner = { organizationId: OrganizationId; connectionId: ConnectionId }

/**
 * Lines as sent to the database. Ids and text hashes (hex) identify the rejected records they
 * resolve.
 */
export type PackedLines = PackedRecords & { ids: string[]; textHashes: string[] }

/** Its `add` throws when an id comes twice. */
export function createLinePacker(): Packer<ProvedLine, PackedLines> {
  const packer = createPacker(LINES)
  const ids: string[] = []
  const textHashes: string[] = []
  return {
    add: (record) => {
      packer.add(record)
      ids.push(record.item.id)
      textHashes.push(record.item.textHash)
    },
    end: () => ({ ...packer.end(), ids, textHashes }),
  }
}

/**
 * Writes proved lines in the caller's transaction. Lines stored with the same content and proof
 * version are not rewritten. Rejected records with the same text or id are resolved. Returns what
 * was written, per part.
 */
export async function applyPackedLines(
  sql: Sql,
  owner: Owner,
  lines: PackedLines,
  beforeWriting?: BeforeWriting,
): Promise<WrittenOfPart[]> {
  const written = await applyRecords(sql, LINES, owner, lines, beforeWriting)
  if (lines.count > 0) await resolveRejected(sql, owner, lines)
  return written
}

async function resolveRejected(sql: Sql, { organizationId, connectionId }: Owner, lines: PackedLines) {
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
