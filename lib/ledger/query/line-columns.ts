/**
 * The columns that the list of lines can have, by the names that an address, a style sheet and a
 * story know them by. Where the file has the same column, it has the same name (docs/csv.md).
 */

/** Shown unless an address chooses others, in this order. */
export const OWN_LINE_COLUMNS = [
  'expense_date',
  'description',
  'trip',
  'vertical',
  'cost_center',
  'invoice',
  'quantity',
  'total_amount',
  'currency',
  'finding',
] as const

export const LINE_COLUMN_NAMES = [
  ...OWN_LINE_COLUMNS,
  'travelers',
  'booker',
  'approvers',
  'vendor_name',
  'vendor_code',
  'start_date',
  'end_date',
  'place',
  'service',
  'labels',
  'custom_fields',
  'country',
  'out_of_policy',
  'include_breakfast',
  'credit_card',
  'reason',
  'difference',
  'tax_difference',
  'expected_total_amount',
  'expected_tax_amount',
  'tax_regime',
  'tax_percentage',
  'tax_amount',
  'unit_price',
  'non_taxable_unit_price',
  'invoice_status',
  'invoice_mode',
  'issuing_date',
  'due_date',
  'profile_name',
  'profile_id',
  'connection_name',
  'trip_id',
  'id',
  'first_seen',
  'review',
  'disputed',
  'letter',
] as const

export type LineColumnName = (typeof LINE_COLUMN_NAMES)[number]
