import { withTenantSql } from '../db/tenant.ts'
import { toLineConditions } from './line-conditions.ts'
import type { LineQuery, LineSortKey } from './line-query.ts'
import { countTotalled, toAllCountQuery, toTotalsQuery } from './line-totals.ts'
import type { CurrencyTotal, LineList, LineRow } from './model.ts'
import { selectTogether } from './select-together.ts'
import { type SortColumn, toOrder } from './sql-order.ts'
import { createSqlParameters } from './sql-parameters.ts'

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

/** The columns of a `LineRow`, from `line l`. */
export const LINE_ROW_COLUMNS = `
  l.connection_id as "connectionId", l.id, l.expense_date::text as "expenseDate", l.issuing_date::text as "issuingDate",
  l.description, l.trip_id as "tripId", l.trip_name as "tripName", l.cost_center as "costCenter",
  l.related_vertical as "relatedVertical", l.service, l.quantity::text, l.total_amount::text as "totalAmount", l.currency,
  l.invoice_serial_number as "invoiceSerialNumber", l.invoice_status as "invoiceStatus", l.invoice_mode as "invoiceMode",
  l.profile_name as "profileName", l.vendor_name as "vendorName", l.finding_codes as "findingCodes",
  l.note_codes as "noteCodes", l.difference::text, l.tax_difference::text as "taxDifference"`

/** The columns of a line that only its panel and the files show, from `line l` and its `connection c`. */
export const LINE_DETAIL_COLUMNS = `
  l.unit_price::text as "unitPrice", l.non_taxable_unit_price::text as "nonTaxableUnitPrice",
  l.tax_percentage::text as "taxPercentage", l.tax_amount::text as "taxAmount", l.tax_regime as "taxRegime",
  l.due_date::text as "dueDate", l.profile_id as "profileId", l.start_date::text as "startDate",
  l.end_date::text as "endDate", l.credit_card_last_4_digits as "creditCardLast4", l.labels,
  l.out_of_policy as "outOfPolicy", l.vendor_code as "vendorCode", l.traveler_names as "travelerNames",
  l.booker_name as "bookerName", l.include_breakfast as "includeBreakfast",
  l.expected_total_amount::text as "expectedTotal", l.expected_tax_amount::text as "expectedTax",
  c.name as "connectionName"`

/** ORDER BY for lines: the asked column, then connection and id, so that the order is total and pages never overlap. */
export function toLineOrder({ sort }: Pick<LineQuery, 'sort'>): string {
  return toOrder(SORT_COLUMNS[sort.key], sort.descending, ['l.connection_id', 'l.id'])
}

/** One page of the filtered lines, with the totals per currency of all of them, read at one moment. */
export async function listLines(organizationId: string, query: LineQuery): Promise<LineList> {
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
        totals: toTotalsQuery(conditions),
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
