import type { OrganizationId } from '#lib/ids.ts'
import type { GroupKey } from '#lib/reconcile/group-keys.ts'
import type { DecimalText } from '#lib/reconcile/money.ts'
import { GROUP_COLUMNS, toTripLabel } from '../conditions/group-key-columns.ts'
import { toLineConditions } from '../conditions/line-conditions.ts'
import { chooseLineSource } from '../conditions/line-source.ts'
import type { GroupQuery } from '../query/group-query.ts'
import { createSqlParameters } from '../sql/sql-parameters.ts'
import { type CursorReader, openTenantCursor, type RowCursor } from '../sql/tenant-cursor.ts'

/**
 * One innermost group in one currency; null = unknown. Keys the query does not group by are absent.
 * Counts are digits.
 */
export type GroupExportRow = {
  trip: string | null
  tripName: string | null
  costCenter: string | null
  vertical: string | null
  currency: string
  lineCount: string
  totalAmount: DecimalText
  findingCount: string
}

const NAMES = { trip: 'trip', cost_center: 'costCenter', vertical: 'vertical' } as const satisfies Record<
  GroupKey,
  string
>

const BATCH_ROWS = 500

/**
 * All innermost groups of the filtered lines, one row per currency, read in batches. Ordered by the
 * keys as the query nests them, unknown last, then by currency.
 * @throws like `openTenantCursor`
 */
export function openGroupExport(
  organizationId: OrganizationId,
  reader: CursorReader,
  query: GroupQuery,
): Promise<RowCursor<GroupExportRow>> {
  const parameters = createSqlParameters()
  const columns = query.by.map((key) => `l.${GROUP_COLUMNS[key]}`)
  const keys = query.by.map((key) => `l.${GROUP_COLUMNS[key]} as "${NAMES[key]}"`)
  const source = chooseLineSource(
    query,
    query.by.map((key) => GROUP_COLUMNS[key]),
  )
  const conditions = toLineConditions(organizationId, query, parameters, source)
  // a trip has one name, however its lines are divided further
  const tripName = `${toTripLabel(`max(${source.datedLabel}) over (partition by l.trip_id)`)} as "tripName"`
  const text = `
    select ${keys.join(', ')}, ${query.by.includes('trip') ? tripName : 'null as "tripName"'}, l.currency,
      ${source.lineCount} as "lineCount", sum(l.total_amount)::text as "totalAmount", sum(l.finding_count) as "findingCount"
    from ${source.from} where ${conditions} group by ${columns.join(', ')}, l.currency ${source.having}
    order by ${columns.map((column) => `${column} nulls last`).join(', ')}, l.currency`
  return openTenantCursor<GroupExportRow>(organizationId, reader, { text, values: parameters.values }, BATCH_ROWS)
}
