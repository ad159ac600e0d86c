import type { GroupExportRow } from '#lib/ledger/read/export-groups.ts'
import type { GroupKey } from '#lib/reconcile/group-keys.ts'
import type { CsvColumn } from './csv.ts'

const KEY_COLUMNS: Record<GroupKey, readonly CsvColumn<GroupExportRow>[]> = {
  trip: [
    { name: 'trip_id', kind: 'text', field: 'trip' },
    { name: 'trip_name', kind: 'text', field: 'tripName' },
  ],
  cost_center: [{ name: 'cost_center', kind: 'text', field: 'costCenter' }],
  vertical: [{ name: 'related_vertical', kind: 'text', field: 'vertical' }],
}

const FIGURES: readonly CsvColumn<GroupExportRow>[] = [
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
