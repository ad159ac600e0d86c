import type { GroupKey } from '#lib/reconcile/group-keys.ts'

/** The column of `line l` behind each group key: the allow-list of what SQL groups by. */
export const GROUP_COLUMNS = {
  trip: 'l.trip_id',
  cost_center: 'l.cost_center',
  vertical: 'l.related_vertical',
} as const satisfies Record<GroupKey, string>

/**
 * A trip's name can change from line to line; its label is the name on its latest expense date (the
 * last by alphabet when one day has several). The day is put in front of the name, so that one pass
 * with `max` finds it.
 */
export const TRIP_LABEL_MAX = `max(l.expense_date::text || ' ' || l.trip_name)`

/** SQL for the label inside such a dated text. */
export function toTripLabel(datedLabel: string): string {
  return `substr(${datedLabel}, 12)`
}
