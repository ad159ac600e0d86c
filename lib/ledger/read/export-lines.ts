import type { RawRows } from '#lib/db/raw-rows.ts'
import type { Sql } from '#lib/db/tenant.ts'
import type { OrganizationId } from '#lib/ids.ts'
import { toLineConditions } from '../conditions/line-conditions.ts'
import { LINE_FILE_VALUES, type LineExportRow } from '../fields/line-fields.ts'
import { spellOut } from '../kept/name-looks/spell-out.ts'
import type { LineQuery } from '../query/line-query.ts'
import { REVIEW_OF_LINE } from '../review/review-columns.ts'
import { createSqlParameters } from '../sql/sql-parameters.ts'
import { type BatchCursor, type CursorReader, openRawCursor } from '../sql/tenant-cursor.ts'
import { toLineOrder } from './list-lines.ts'

/** A few hundred kilobytes of a file: more is no quicker. */
const BATCH_ROWS = 500

/** The tables that `LINE_FILE_VALUES` reads: by key, so that no line comes twice. */
export const LINE_FILE_TABLES = `line l
  join connection c on c.organization_id = l.organization_id and c.id = l.connection_id
  left join ${REVIEW_OF_LINE}
  left join decision d on d.organization_id = v.organization_id and d.number = v.decision`

/**
 * These fields of all filtered lines in the list's order, ignoring the query's page, read in
 * batches.
 * @throws like `openTenantCursor`
 */
export function openLineExport(
  organizationId: OrganizationId,
  reader: CursorReader,
  query: LineQuery,
  fields: readonly (keyof LineExportRow)[],
): Promise<BatchCursor<RawRows>> {
  const toQuery = async (sql: Sql) => {
    const parameters = createSqlParameters()
    const conditions = toLineConditions(organizationId, await spellOut(sql, organizationId, query), parameters)
    const text = `
      select ${fields.map((field) => LINE_FILE_VALUES[field]).join(', ')}
      from ${LINE_FILE_TABLES}
      where ${conditions} order by ${toLineOrder(query)}`
    return { text, values: parameters.values }
  }
  return openRawCursor(organizationId, reader, toQuery, BATCH_ROWS)
}
