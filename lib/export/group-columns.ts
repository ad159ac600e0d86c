import type { GroupExportRow } from '../ledger/export-groups.ts'
import type { GroupKey } from '../reconcile/group-keys.ts'
import type { CsvColumn } from './csv.ts'

const KEY_COLUMNS: Record<GroupKey, readonly CsvColumn<GroupExportRow>[]> = {
  trip: [
    { name: 'trip_id', kind: 'text', value: (group) => group.trip },
    { name: 'trip_name', kind: 'text', value: (group) => group.tripName },
  ],
  cost_center: [{ name: 'cost_center', kind: 'text', value: (group) => group.costCenter }],
  vertical: [{ name: 'related_vertical', kind: 'text', value: (group) => group.vertical }],
}

const FIGURES: readonly CsvColumn<GroupExportRow>[] = [
  { name: 'currency', kind: 'code', value: (group) => group.currency },
  { name: 'line_count', kind: 'count', value: (group) => group.lineCount },
  { name: 'total_amount', kind: 'amount', value: (group) => group.totalAmount },
  { name: 'finding_count', kind: 'count', value: (group) => group.findingCount },
]

/** The columns of the groups file: the keys in the order of grouping, named as on the wire, then the figures (docs/csv.md). */
export function toGroupColumns(by: readonly GroupKey[]): CsvColumn<GroupExportRow>[] {
  return [...by.flatMap((key) => KEY_COLUMNS[key]), ...FIGURES]
}
