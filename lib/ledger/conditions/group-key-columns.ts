import type { GroupKey } from '#lib/reconcile/group-keys.ts'
import type { LineColumn } from './line-source.ts'

/** The column of `l` behind each group key: the allow-list for GROUP BY. */
export const GROUP_COLUMNS = {
  trip: 'trip_id',
  cost_center: 'cost_center',
  vertical: 'related_vertical',
} as const satisfies Record<GroupKey, LineColumn>

/**
 * SQL for the label inside a dated one. A trip's name can vary between lines. Its label is the name
 * on its latest expense date (the last alphabetically if a day has several). The day before the
 * name lets one `max` find it.
 */
export function toTripLabel(datedLabel: string): string {
  return `substr(${datedLabel}, 12)`
}
