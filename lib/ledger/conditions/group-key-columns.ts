import type { GroupKey } from '#lib/reconcile/group-keys.ts'

/** The column of `line l` behind each group key: the allow-list for GROUP BY. */
export const GROUP_COLUMNS = {
  trip: 'l.trip_id',
  cost_center: 'l.cost_center',
  vertical: 'l.related_vertical',
} as const satisfies Record<GroupKey, string>

/**
 * A trip's name can vary between lines. Its label is the name on its latest expense date (the last
 * alphabetically if a day has several). The name is prefixed with the day, so one `max` finds it.
 */
export const TRIP_LABEL_MAX = `max(l.expense_date::text || ' ' || l.trip_name)`

/** SQL for the label inside such a dated text. */
export function toTripLabel(datedLabel: string): string {
  return `substr(${datedLabel}, 12)`
}
