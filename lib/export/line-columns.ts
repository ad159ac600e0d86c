import type { LineExportRow } from '../ledger/export-lines.ts'
import type { CsvColumn } from './csv.ts'

const LIST_SEPARATOR = '; '

const toFlag = (value: boolean | null) => (value === null ? null : String(value))

/** The columns of the lines file, named as on the wire. The order and the names are a promise (docs/csv.md): add at the end. */
export const LINE_COLUMNS: readonly CsvColumn<LineExportRow>[] = [
  { name: 'id', kind: 'text', value: (line) => line.id },
  { name: 'expense_date', kind: 'day', value: (line) => line.expenseDate },
  { name: 'description', kind: 'text', value: (line) => line.description },
  { name: 'quantity', kind: 'amount', value: (line) => line.quantity },
  { name: 'unit_price', kind: 'amount', value: (line) => line.unitPrice },
  { name: 'non_taxable_unit_price', kind: 'amount', value: (line) => line.nonTaxableUnitPrice },
  { name: 'tax_percentage', kind: 'amount', value: (line) => line.taxPercentage },
  { name: 'tax_amount', kind: 'amount', value: (line) => line.taxAmount },
  { name: 'tax_regime', kind: 'text', value: (line) => line.taxRegime },
  { name: 'total_amount', kind: 'amount', value: (line) => line.totalAmount },
  { name: 'currency', kind: 'code', value: (line) => line.currency },
  { name: 'invoice_serial_number', kind: 'text', value: (line) => line.invoiceSerialNumber },
  { name: 'invoice_mode', kind: 'text', value: (line) => line.invoiceMode },
  { name: 'invoice_status', kind: 'text', value: (line) => line.invoiceStatus },
  { name: 'issuing_date', kind: 'day', value: (line) => line.issuingDate },
  { name: 'due_date', kind: 'day', value: (line) => line.dueDate },
  { name: 'profile_id', kind: 'text', value: (line) => line.profileId },
  { name: 'profile_name', kind: 'text', value: (line) => line.profileName },
  { name: 'trip_id', kind: 'text', value: (line) => line.tripId },
  { name: 'trip_name', kind: 'text', value: (line) => line.tripName },
  { name: 'service', kind: 'text', value: (line) => line.service },
  { name: 'related_vertical', kind: 'text', value: (line) => line.relatedVertical },
  { name: 'cost_center', kind: 'text', value: (line) => line.costCenter },
  { name: 'start_date', kind: 'day', value: (line) => line.startDate },
  { name: 'end_date', kind: 'day', value: (line) => line.endDate },
  { name: 'travelers', kind: 'text', value: (line) => line.travelerNames.join(LIST_SEPARATOR) },
  { name: 'booker', kind: 'text', value: (line) => line.bookerName },
  { name: 'vendor_code', kind: 'text', value: (line) => line.vendorCode },
  { name: 'vendor_name', kind: 'text', value: (line) => line.vendorName },
  { name: 'out_of_policy', kind: 'code', value: (line) => toFlag(line.outOfPolicy) },
  { name: 'credit_card_last_4_digits', kind: 'text', value: (line) => line.creditCardLast4 },
  { name: 'labels', kind: 'text', value: (line) => line.labels.join(LIST_SEPARATOR) },
  { name: 'include_breakfast', kind: 'code', value: (line) => toFlag(line.includeBreakfast) },
  { name: 'finding_codes', kind: 'code', value: (line) => line.findingCodes.join(' ') },
  { name: 'expected_total_amount', kind: 'amount', value: (line) => line.expectedTotal },
  { name: 'difference', kind: 'amount', value: (line) => line.difference },
  { name: 'expected_tax_amount', kind: 'amount', value: (line) => line.expectedTax },
  { name: 'tax_difference', kind: 'amount', value: (line) => line.taxDifference },
  { name: 'note_codes', kind: 'code', value: (line) => line.noteCodes.join(' ') },
  { name: 'connection_id', kind: 'code', value: (line) => line.connectionId },
  { name: 'connection_name', kind: 'text', value: (line) => line.connectionName },
]
