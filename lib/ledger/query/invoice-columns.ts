/**
 * The columns that the list of invoices can have, by the names that an address, a style sheet and a
 * story know them by. Where the file has the same column, it has the same name (docs/csv.md).
 */
export const INVOICE_COLUMN_NAMES = [
  'serial_number',
  'issuing_date',
  'due_date',
  'profile_name',
  'mode',
  'status',
  'total',
  'currency',
  'credit_used',
  'lines',
  'line_total',
  'tie_out',
  'findings',
  'legal_name',
  'from_date',
  'to_date',
  'billing_period',
  'reference',
  'profile_id',
  'review',
] as const

export type InvoiceColumnName = (typeof INVOICE_COLUMN_NAMES)[number]
