import type { LineExportRow } from '#lib/ledger/fields/line-fields.ts'
import type { CsvColumn } from './csv.ts'

/**
 * The columns of the lines file, named as on the wire. Order and names are a promise (docs/csv.md):
 * add at the end.
 */
const COLUMNS = [
  { name: 'id', kind: 'text', field: 'id' },
  { name: 'expense_date', kind: 'day', field: 'expenseDate' },
  { name: 'description', kind: 'text', field: 'description' },
  { name: 'quantity', kind: 'amount', field: 'quantity' },
  { name: 'unit_price', kind: 'amount', field: 'unitPrice' },
  { name: 'non_taxable_unit_price', kind: 'amount', field: 'nonTaxableUnitPrice' },
  { name: 'tax_percentage', kind: 'amount', field: 'taxPercentage' },
  { name: 'tax_amount', kind: 'amount', field: 'taxAmount' },
  { name: 'tax_regime', kind: 'text', field: 'taxRegime' },
  { name: 'total_amount', kind: 'amount', field: 'totalAmount' },
  { name: 'currency', kind: 'code', field: 'currency' },
  { name: 'invoice_serial_number', kind: 'text', field: 'invoiceSerialNumber' },
  { name: 'invoice_mode', kind: 'text', field: 'invoiceMode' },
  { name: 'invoice_status', kind: 'text', field: 'invoiceStatus' },
  { name: 'issuing_date', kind: 'day', field: 'issuingDate' },
  { name: 'due_date', kind: 'day', field: 'dueDate' },
  { name: 'profile_id', kind: 'text', field: 'profileId' },
  { name: 'profile_name', kind: 'text', field: 'profileName' },
  { name: 'trip_id', kind: 'text', field: 'tripId' },
  { name: 'trip_name', kind: 'text', field: 'tripName' },
  { name: 'service', kind: 'text', field: 'service' },
  { name: 'related_vertical', kind: 'text', field: 'relatedVertical' },
  { name: 'cost_center', kind: 'text', field: 'costCenter' },
  { name: 'start_date', kind: 'day', field: 'startDate' },
  { name: 'end_date', kind: 'day', field: 'endDate' },
  { name: 'travelers', kind: 'text', field: 'travelerNames' },
  { name: 'booker', kind: 'text', field: 'bookerName' },
  { name: 'vendor_code', kind: 'text', field: 'vendorCode' },
  { name: 'vendor_name', kind: 'text', field: 'vendorName' },
  { name: 'out_of_policy', kind: 'code', field: 'outOfPolicy' },
  { name: 'credit_card_last_4_digits', kind: 'text', field: 'creditCardLast4' },
  { name: 'labels', kind: 'text', field: 'labels' },
  { name: 'include_breakfast', kind: 'code', field: 'includeBreakfast' },
  { name: 'finding_codes', kind: 'code', field: 'findingCodes' },
  { name: 'expected_total_amount', kind: 'amount', field: 'expectedTotal' },
  { name: 'difference', kind: 'amount', field: 'difference' },
  { name: 'expected_tax_amount', kind: 'amount', field: 'expectedTax' },
  { name: 'tax_difference', kind: 'amount', field: 'taxDifference' },
  { name: 'note_codes', kind: 'code', field: 'noteCodes' },
  { name: 'connection_id', kind: 'code', field: 'connectionId' },
  { name: 'connection_name', kind: 'text', field: 'connectionName' },
  { name: 'explained_codes', kind: 'code', field: 'explainedCodes' },
  { name: 'reason_codes', kind: 'code', field: 'reasonCodes' },
  { name: 'unexplained_difference', kind: 'amount', field: 'unexplainedDifference' },
  { name: 'is_gone', kind: 'code', field: 'isGone' },
  { name: 'country_code', kind: 'code', field: 'country' },
  { name: 'custom_fields', kind: 'text', field: 'customFields' },
  { name: 'review', kind: 'code', field: 'review' },
  { name: 'review_reason', kind: 'text', field: 'reviewReason' },
  { name: 'review_by', kind: 'text', field: 'reviewBy' },
  { name: 'review_at', kind: 'code', field: 'reviewAt' },
] as const satisfies readonly CsvColumn<LineExportRow>[]

type LeftOut = Exclude<keyof LineExportRow, (typeof COLUMNS)[number]['field']>

/** Does not compile while a field of the line is in no column. */
export const LINE_COLUMNS: [LeftOut] extends [never] ? readonly CsvColumn<LineExportRow>[] : LeftOut = COLUMNS
