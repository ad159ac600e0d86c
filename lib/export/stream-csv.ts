import { openGroupExport } from '../ledger/export-groups.ts'
import { openLineExport } from '../ledger/export-lines.ts'
import type { GroupQuery } from '../ledger/group-query.ts'
import type { LineQuery } from '../ledger/line-query.ts'
import { toCsvStream } from './csv-stream.ts'
import { toGroupColumns } from './group-columns.ts'
import { LINE_COLUMNS } from './line-columns.ts'

/**
 * All filtered lines as CSV, in the list's order, whatever page the query asks for. The query has started when the promise
 * resolves: what fails until then is an ordinary error, what fails later breaks the stream. Whoever does not read it to its
 * end cancels it. @throws Error when the database cannot answer.
 */
export async function streamLinesCsv(organizationId: string, query: LineQuery): Promise<ReadableStream<Uint8Array>> {
  return toCsvStream(await openLineExport(organizationId, query), LINE_COLUMNS)
}

/** All innermost groups of the filtered lines as CSV, one row per currency; otherwise as `streamLinesCsv`. */
export async function streamGroupsCsv(organizationId: string, query: GroupQuery): Promise<ReadableStream<Uint8Array>> {
  return toCsvStream(await openGroupExport(organizationId, query), toGroupColumns(query.by))
}
