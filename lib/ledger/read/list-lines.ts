import { withTenantSql } from '#lib/db/tenant.ts'
import type { OrganizationId } from '#lib/ids.ts'
import { toLineConditions } from '../conditions/line-conditions.ts'
import { LINES } from '../conditions/line-source.ts'
import { LINE_ROW_COLUMNS } from '../fields/line-fields.ts'
import type { CurrencyTotal, LineList, LineRow } from '../model.ts'
import type { LineQuery, LineSortKey } from '../query/line-query.ts'
import { selectTogether } from '../sql/select-together.ts'
import { type SortColumn, toOrder } from '../sql/sql-order.ts'
import { createSqlParameters } from '../sql/sql-parameters.ts'
import { countTotalled, sumByInvoice, toAllCountQuery, toTotalsQuery } from './line-totals.ts'

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

/** What a search keeps of each line it finds: enough for every order and for the totals. */
const HIT_COLUMNS = [
  'l.connection_id, l.id, l.currency, l.finding_count',
  ...Object.values(SORT_COLUMNS).flatMap((columns) => columns.map(({ sql }) => sql)),
].join(', ')

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
  const page = `limit ${parameters.add(query.pageSize)} offset ${parameters.add((query.page - 1) * query.pageSize)}`
  const order = toLineOrder(query)
  // a text is looked for once, and not for the page and for the totals; else the page's keys come
  // first: filters and order are then read from the index, and only the page's lines are opened
  const isSearch = query.text !== ''
  const found = isSearch ? 'hit l' : `line l where ${conditions}`
  const totals = isSearch ? sumByInvoice('hit l', LINES) : toTotalsQuery(organizationId, query, parameters)
  const {
    rows,
    totals: sums,
    all,
  } = await withTenantSql(organizationId, (sql) =>
    selectTogether<{ rows: LineRow[]; totals: CurrencyTotal[]; all: { count: number }[] }>(
      sql,
      {
        rows: `select ${LINE_ROW_COLUMNS} from (select l.connection_id, l.id from ${found} order by ${order} ${page}) k
               join line l on l.organization_id = ${parameters.add(organizationId)}::uuid and l.connection_id = k.connection_id and l.id = k.id
               order by ${order}`,
        totals,
        all: toAllCountQuery(organizationId, query, parameters),
      },
      parameters.values,
      isSearch ? `with hit as materialized (select ${HIT_COLUMNS} from line l where ${conditions})` : '',
    ),
  )
  const lineCount = countTotalled(sums)
  return {
    rows,
    lineCount,
    allLineCount: all[0]?.count ?? lineCount,
    totals: sums,
    page: query.page,
    pageCount: Math.max(1, Math.ceil(lineCount / query.pageSize)),
  }
}
