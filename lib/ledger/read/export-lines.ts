import type { OrganizationId } from '#lib/ids.ts'
import { toLineConditions } from '../conditions/line-conditions.ts'
import type { LineQuery } from '../query/line-query.ts'
import { createSqlParameters } from '../sql/sql-parameters.ts'
import { type CursorReader, openTenantCursor, type RowCursor } from '../sql/tenant-cursor.ts'
import { toLineOrder } from './list-lines.ts'

/** A few hundred kilobytes of a file: more is no quicker. */
const BATCH_ROWS = 500

/** A row of a file: as one text, or else, when that is null, as its cells in the file's order. */
export type PackedRow = { line: string | null; cells: (string | null)[] | null }

/** SQL for both, by `LINE_FILE_TEXTS`. */
export type PackedRowSql = { line: string; cells: string }

/**
 * All filtered lines in the list's order, ignoring the query's page, read in batches.
 * @throws like `openTenantCursor`
 */
export function openLineExport(
  organizationId: OrganizationId,
  reader: CursorReader,
  query: LineQuery,
  { line, cells }: PackedRowSql,
): Promise<RowCursor<PackedRow>> {
  const parameters = createSqlParameters()
  const conditions = toLineConditions(organizationId, query, parameters)
  // "offset 0" has the text made once, not once for each mention of it
  const text = `
    select packed.line, case when packed.line is null then ${cells} end as cells
    from line l join connection c on c.organization_id = l.organization_id and c.id = l.connection_id
    cross join lateral (select ${line} as line offset 0) packed
    where ${conditions} order by ${toLineOrder(query)}`
  return openTenantCursor<PackedRow>(organizationId, reader, { text, values: parameters.values }, BATCH_ROWS)
}
