import { toLineConditions } from './line-conditions.ts'
import type { LineQuery } from './line-query.ts'
import { LINE_DETAIL_COLUMNS, LINE_ROW_COLUMNS, toLineOrder } from './list-lines.ts'
import type { LineDetail } from './model.ts'
import { createSqlParameters } from './sql-parameters.ts'
import { openTenantCursor, type RowCursor } from './tenant-cursor.ts'

/** A line as a file has it: everything that is stored of it but the raw record. */
export type LineExportRow = Omit<LineDetail, 'rawText' | 'firstSeenAt' | 'changedAt' | 'findings'>

const BATCH_ROWS = 500

/** All filtered lines in the list's order, whatever the query's page, to be read in batches. @throws Error when it cannot start. */
export function openLineExport(organizationId: string, query: LineQuery): Promise<RowCursor<LineExportRow>> {
  const parameters = createSqlParameters()
  const conditions = toLineConditions(organizationId, query, parameters)
  const text = `
    select ${LINE_ROW_COLUMNS}, ${LINE_DETAIL_COLUMNS}
    from line l join connection c on c.organization_id = l.organization_id and c.id = l.connection_id
    where ${conditions} order by ${toLineOrder(query)}`
  return openTenantCursor<LineExportRow>(organizationId, { text, values: parameters.values }, BATCH_ROWS)
}
