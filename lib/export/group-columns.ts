import type { GroupExportRow } from '#lib/ledger/read/export-groups.ts'
import type { GroupKey } from '#lib/reconcile/group-keys.ts'
import type { CsvColumn } from './csv.ts'

type Column = CsvColumn<GroupExportRow>

/** As the file of lines names and writes them, where it has them. */
const KEY_COLUMNS: Record<GroupKey, readonly Column[]> = {
  trip: [
    { name: 'trip_id', kind: 'text', field: 'trip' },
    { name: 'trip_name', kind: 'text', field: 'trip_name' },
  ],
  cost_center: [{ name: 'cost_center', kind: 'text', field: 'cost_center' }],
  vertical: [{ name: 'related_vertical', kind: 'text', field: 'vertical' }],
  service: [{ name: 'service', kind: 'text', field: 'service' }],
  traveler: [{ name: 'traveler', kind: 'text', field: 'traveler' }],
  booker: [{ name: 'booker', kind: 'text', field: 'booker' }],
  vendor: [{ name: 'vendor_name', kind: 'text', field: 'vendor' }],
  profile: [
    { name: 'profile_id', kind: 'text', field: 'profile' },
    { name: 'profile_name', kind: 'text', field: 'profile_name' },
  ],
  connection: [
    { name: 'connection_id', kind: 'code', field: 'connection' },
    { name: 'connection_name', kind: 'text', field: 'connection_name' },
  ],
  invoice: [{ name: 'invoice_serial_number', kind: 'text', field: 'invoice' }],
  month: [{ name: 'month_of_expense', kind: 'code', field: 'month' }],
  month_issued: [{ name: 'month_of_issue', kind: 'code', field: 'month_issued' }],
  tax_regime: [{ name: 'tax_regime', kind: 'text', field: 'tax_regime' }],
  tax_percentage: [{ name: 'tax_percentage', kind: 'amount', field: 'tax_percentage' }],
  out_of_policy: [{ name: 'out_of_policy', kind: 'code', field: 'out_of_policy' }],
  label: [{ name: 'label', kind: 'text', field: 'label' }],
  country: [{ name: 'country', kind: 'code', field: 'country' }],
  custom_field: [{ name: 'custom_field', kind: 'text', field: 'custom_field' }],
  finding: [{ name: 'finding_code', kind: 'code', field: 'finding' }],
}

const FIGURES: readonly Column[] = [
  { name: 'currency', kind: 'code', field: 'currency' },
  { name: 'line_count', kind: 'count', field: 'lineCount' },
  { name: 'total_amount', kind: 'amount', field: 'totalAmount' },
  { name: 'finding_count', kind: 'count', field: 'findingCount' },
]

/**
 * The columns of the groups file: the keys in grouping order, named as on the wire, then the
 * figures (docs/csv.md).
 */
export function toGroupColumns(by: readonly GroupKey[]): CsvColumn<GroupExportRow>[] {
  return [...by.flatMap((key) => KEY_COLUMNS[key]), ...FIGURES]
}
