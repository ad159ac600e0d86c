import { withTenantSql } from '#lib/db/tenant.ts'
import type { OrganizationId } from '#lib/ids.ts'
import { toLineConditions } from '../conditions/line-conditions.ts'
import { LINE_ROW_COLUMNS } from '../fields/line-fields.ts'
import type { CurrencyTotal, LineList, LineRow } from '../model.ts'
import type { LineQuery, LineSortKey } from '../query/line-query.ts'
import { selectTogether } from '../sql/select-together.ts'
import { type SortColumn, toOrder } from '../sql/sql-order.ts'
import { createSqlParameters } from '../sql/sql-parameters.ts'
import { countTotalled, toAllCountQuery, toTotalsQuery } from './line-totals.ts'

/** The allow-list of sort orders: nothing else reaches ORDER BY. */
const SORT_COLUMNS: Record<LineSortKey, SortColumn[]> = {
  expense_date: [{ sql: 'l.expense_date', isNullable: false }],
  issuing_date: [{ sql: 'l.issuing_date', isNullable: true }],
  description: [{ sql: 'l.description', isNullable: false }],
  trip: [
    { sql: 'l.trip_name', isNullable: true },
    { sql: 'l.trip_id', isNullable: true },
  ],
  vertical: [{ sql: 'l.related_vertical', isNullable: true }],
  cost_center: [{ sql: 'l.cost_center', isNullable: true }],
  quantity: [{ sql: 'l.quantity', isNullable: false }],
  total_amount: [{ sql: 'l.total_amount', isNullable: false }],
  difference: [{ sql: 'l.difference', isNullable: false }],
  invoice: [{ sql: 'l.invoice_serial_number', isNullable: false }],
  status: [{ sql: 'l.invoice_status', isNullable: true }],
}

/**
 * ORDER BY for lines: the requested column, then connection and id. The order is total, so pages
 * never overlap.
 */
export function toLineOrder({ sort }: Pick<LineQuery, 'sort'>): string {
  return toOrder(SORT_COLUMNS[sort.key], sort.descending, ['l.connection_id', 'l.id'])
}

/**
 * One page of the filtered lines, with the totals per currency of all of them, read at one moment.
 */
export async function listLines(organizationId: OrganizationId, query: LineQuery): Promise<LineList> {
  const parameters = createSqlParameters()
  const conditions = toLineConditions(organizationId, query, parameters)
  const limit = parameters.add(query.pageSize)
  const offset = parameters.add((query.page - 1) * query.pageSize)
  const { rows, totals, all } = await withTenantSql(organizationId, (sql) =>
    selectTogether<{ rows: LineRow[]; totals: CurrencyTotal[]; all: { count: number }[] }>(
      sql,
      {
        rows: `select ${LINE_ROW_COLUMNS} from line l where ${conditions}
               order by ${toLineOrder(query)} limit ${limit} offset ${offset}`,
        totals: toTotalsQuery(organizationId, query, parameters),
        all: toAllCountQuery(organizationId, query, parameters),
      },
      parameters.values,
    ),
  )
  const lineCount = countTotalled(totals)
  return {
    rows,
    lineCount,
    allLineCount: all[0]?.count ?? lineCount,
    totals,
    page: query.page,
    pageCount: Math.max(1, Math.ceil(lineCount / query.pageSize)),
  }
}
