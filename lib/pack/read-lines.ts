/** The lines of a pack: as the lines file has them, with what the seal needs and the record. */
import type { Sql } from '#lib/db/tenant.ts'
import { type CsvColumn, toHeader } from '#lib/export/csv.ts'
import { LINE_COLUMNS } from '#lib/export/line-columns.ts'
import type { OrganizationId } from '#lib/ids.ts'
import { LINE_FILE_VALUES, type LineExportRow } from '#lib/ledger/fields/line-fields.ts'
import { LINE_FILE_TABLES } from '#lib/ledger/read/export-lines.ts'
import { toFoundBeside } from '#lib/ledger/review/review-columns.ts'
import { PAYLOAD_OF_LINE } from '#lib/ledger/sql/payload-of-line.ts'
import type { SealedLine } from '#lib/reconcile/close/seal.ts'
import type { PackScope } from './pack-scope.ts'

/** A line of the pack's file. */
export type PackLine = LineExportRow & {
  contentHash: string
  foundBeside: string | null
  /** The number of the decision that it stands by, or fell from. */
  decision: string | null
}
/** What stands in no column of it. */
type Beside = { findings: string[]; explained: string[]; raw: string; reviewNote: string | null }

/** The columns of the lines file (docs/csv.md), and three that the seal and the record need. */
const COLUMNS: readonly CsvColumn<PackLine>[] = [
  ...(LINE_COLUMNS as readonly CsvColumn<PackLine>[]),
  { name: 'content_hash', kind: 'code', field: 'contentHash' },
  { name: 'found_beside', kind: 'text', field: 'foundBeside' },
  { name: 'decision', kind: 'count', field: 'decision' },
]
export const LINES_HEADER = toHeader(COLUMNS)
export { COLUMNS as PACK_LINE_COLUMNS }

const BATCH_ROWS = 500
const CURSOR = 'lines_of_pack'

const VALUES: Record<keyof PackLine | keyof Beside, string> = {
  ...LINE_FILE_VALUES,
  contentHash: 'l.content_hash',
  foundBeside: toFoundBeside('l', '$1::uuid'),
  decision: 'v.decision::text',
  findings: 'l.finding_codes',
  explained: `coalesce(l.explained_codes, '{}')`,
  raw: 'p.raw::text',
  reviewNote: 'd.note',
}

/**
 * All lines of these invoices, gone or not, by serial number and id, both by bytes; in the caller's
 * transaction, a batch at a time.
 */
export async function* readPackLines(
  sql: Sql,
  organizationId: OrganizationId,
  { connectionId }: PackScope,
  serialNumbers: readonly string[],
): AsyncGenerator<PackLine & Beside> {
  const values = Object.entries(VALUES).map(([name, value]) => `${value} as "${name}"`)
  await sql(
    `declare ${CURSOR} no scroll cursor for
     select ${values.join(', ')} from ${LINE_FILE_TABLES} join ${PAYLOAD_OF_LINE}
     where l.organization_id = $1 and l.connection_id = $2 and l.invoice_serial_number = any($3::text[])
     order by l.invoice_serial_number collate "C", l.id collate "C"`,
    [organizationId, connectionId, serialNumbers],
  )
  for (;;) {
    const rows = await sql<PackLine & Beside>(`fetch forward ${BATCH_ROWS} from ${CURSOR}`)
    if (rows.length === 0) break
    yield* rows
  }
  await sql(`close ${CURSOR}`)
}

export function toSealedLine(line: PackLine & Beside): SealedLine {
  const { findings, explained, isGone, ...figures } = line
  return { ...figures, findingCodes: findings, explainedCodes: explained, isGone: isGone === 'true' }
}
