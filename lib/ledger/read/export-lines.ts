import type { OrganizationId } from '#lib/ids.ts'
import { toLineConditions } from '../conditions/line-conditions.ts'
import { LINE_FILE_COLUMNS, type LineExportRow } from '../fields/line-fields.ts'
import type { LineQuery } from '../query/line-query.ts'
import { createSqlParameters } from '../sql/sql-parameters.ts'
import { type CursorReader, openTenantCursor, type RowCursor } from '../sql/tenant-cursor.ts'
import { toLineOrder } from './list-lines.ts'

const BATCH_ROWS = 500

/**
 * All filtered lines in the list's order, ignoring the query's page, read in batches.
 * @throws like `openTenantCursor`
 */
export function openLineExport(
  organizationId: OrganizationId,
  reader: CursorReader,
  query: LineQuery,
): Promise<RowCursor<LineExportRow>> {
  const parameters = createSqlParameters()
  const conditions = toLineConditions(organizationId, query, parameters)
  const text = `
    select ${LINE_FILE_COLUMNS}
    from line l join connection c on c.organization_id = l.organization_id and c.id = l.connection_id
    where ${conditions} order by ${toLineOrder(query)}`
  return openTenantCursor<LineExportRow>(organizationId, reader, { text, values: parameters.values }, BATCH_ROWS)
}
