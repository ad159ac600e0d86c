import type { Day } from '../reconcile/day.ts'
import type { DecimalText } from '../reconcile/money.ts'
import { toLineConditions } from './line-conditions.ts'
import type { LineQuery } from './line-query.ts'
import { toLineOrder } from './list-lines.ts'
import { createSqlParameters } from './sql-parameters.ts'
import { type CursorReader, openTenantCursor, type RowCursor } from './tenant-cursor.ts'

/**
 * A line as a file has it: everything that is stored of it but the raw record, each value as text. Null means unknown. Lists
 * are joined by the database, which is quicker than reading them one by one: people and labels by `; `, codes by spaces.
 */
export type LineExportRow = {
  id: string
  expenseDate: Day
  description: string
  quantity: DecimalText
  unitPrice: DecimalText
  nonTaxableUnitPrice: DecimalText
  taxPercentage: DecimalText
  taxAmount: DecimalText
  taxRegime: string | null
  totalAmount: DecimalText
  currency: string
  invoiceSerialNumber: string
  invoiceMode: string | null
  invoiceStatus: string | null
  issuingDate: Day | null
  dueDate: Day | null
  profileId: string | null
  profileName: string | null
  tripId: string | null
  tripName: string | null
  service: string | null
  relatedVertical: string | null
  costCenter: string | null
  startDate: Day | null
  endDate: Day | null
  travelers: string
  bookerName: string | null
  vendorCode: string | null
  vendorName: string | null
  outOfPolicy: 'true' | 'false' | null
  creditCardLast4: string | null
  labels: string
  includeBreakfast: 'true' | 'false' | null
  findingCodes: string
  expectedTotal: DecimalText
  difference: DecimalText
  expectedTax: DecimalText
  taxDifference: DecimalText
  noteCodes: string
  connectionId: string
  connectionName: string | null
}

const COLUMNS = `
  l.id, l.expense_date::text as "expenseDate", l.description, l.quantity::text, l.unit_price::text as "unitPrice",
  l.non_taxable_unit_price::text as "nonTaxableUnitPrice", l.tax_percentage::text as "taxPercentage",
  l.tax_amount::text as "taxAmount", l.tax_regime as "taxRegime", l.total_amount::text as "totalAmount", l.currency,
  l.invoice_serial_number as "invoiceSerialNumber", l.invoice_mode as "invoiceMode", l.invoice_status as "invoiceStatus",
  l.issuing_date::text as "issuingDate", l.due_date::text as "dueDate", l.profile_id as "profileId",
  l.profile_name as "profileName", l.trip_id as "tripId", l.trip_name as "tripName", l.service,
  l.related_vertical as "relatedVertical", l.cost_center as "costCenter", l.start_date::text as "startDate",
  l.end_date::text as "endDate", array_to_string(l.traveler_names, '; ') as travelers, l.booker_name as "bookerName",
  l.vendor_code as "vendorCode", l.vendor_name as "vendorName", l.out_of_policy::text as "outOfPolicy",
  l.credit_card_last_4_digits as "creditCardLast4", array_to_string(l.labels, '; ') as labels,
  l.include_breakfast::text as "includeBreakfast", array_to_string(l.finding_codes, ' ') as "findingCodes",
  l.expected_total_amount::text as "expectedTotal", l.difference::text, l.expected_tax_amount::text as "expectedTax",
  l.tax_difference::text as "taxDifference", array_to_string(l.note_codes, ' ') as "noteCodes",
  l.connection_id as "connectionId", c.name as "connectionName"`

const BATCH_ROWS = 500

/** All filtered lines in the list's order, whatever the query's page, to be read in batches. @throws as `openTenantCursor`. */
export function openLineExport(
  organizationId: string,
  reader: CursorReader,
  query: LineQuery,
): Promise<RowCursor<LineExportRow>> {
  const parameters = createSqlParameters()
  const conditions = toLineConditions(organizationId, query, parameters)
  const text = `
    select ${COLUMNS}
    from line l join connection c on c.organization_id = l.organization_id and c.id = l.connection_id
    where ${conditions} order by ${toLineOrder(query)}`
  return openTenantCursor<LineExportRow>(organizationId, reader, { text, values: parameters.values }, BATCH_ROWS)
}
