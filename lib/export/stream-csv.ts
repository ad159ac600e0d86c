import { openGroupExport } from '../ledger/export-groups.ts'
import { openLineExport } from '../ledger/export-lines.ts'
import type { GroupQuery } from '../ledger/group-query.ts'
import type { LineQuery } from '../ledger/line-query.ts'
import type { CursorReader } from '../ledger/tenant-cursor.ts'
import { toCsvStream } from './csv-stream.ts'
import { toGroupColumns } from './group-columns.ts'
import { LINE_COLUMNS } from './line-columns.ts'

/**
 * All filtered lines as CSV, in the list's order, whatever page the query asks for. The query has started when the promise
 * resolves: what fails until then is an ordinary error, what fails later breaks the stream. A stream that is neither read nor
 * canceled ends with the reader's signal, or by its limits. @throws OperationalError `export-busy`; Error when the database
 * cannot answer.
 */
export async function streamLinesCsv(
  organizationId: string,
  reader: CursorReader,
  query: LineQuery,
): Promise<ReadableStream<Uint8Array>> {
  return toCsvStream(await openLineExport(organizationId, reader, query), LINE_COLUMNS)
}

/** All innermost groups of the filtered lines as CSV, one row per currency; otherwise as `streamLinesCsv`. */
export async function streamGroupsCsv(
  organizationId: string,
  reader: CursorReader,
  query: GroupQuery,
): Promise<ReadableStream<Uint8Array>> {
  return toCsvStream(await openGroupExport(organizationId, reader, query), toGroupColumns(query.by))
}
