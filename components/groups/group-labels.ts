import type { GroupRow } from '#lib/ledger/model.ts'
import type { GroupKey } from '#lib/reconcile/group-keys.ts'

export const KEY_LABELS: Record<GroupKey, string> = { trip: 'Trip', cost_center: 'Cost center', vertical: 'Vertical' }

const KEY_PLURALS: Record<GroupKey, [one: string, many: string]> = {
  trip: ['trip', 'trips'],
  cost_center: ['cost center', 'cost centers'],
  vertical: ['vertical', 'verticals'],
}

const UNKNOWN: Record<GroupKey, string> = {
  trip: 'No trip',
  cost_center: 'No cost center',
  vertical: 'Unknown vertical',
}

export function keyPlural(key: GroupKey): [one: string, many: string] {
  return KEY_PLURALS[key]
}

/** A group's name; for a named trip, also its id. */
export function toGroupName(group: GroupRow): { name: string; id: string | null; isUnknown: boolean } {
  const entry = group.values[0]
  if (!entry || entry.value === null) return { name: entry ? UNKNOWN[entry.key] : '', id: null, isUnknown: true }
  return entry.label === null
    ? { name: entry.value, id: null, isUnknown: false }
    : { name: entry.label, id: entry.value, isUnknown: false }
}

/** `By trip, then vertical`. */
export function describeKeys(keys: GroupKey[]): string {
  return `By ${keys.map((key) => KEY_LABELS[key].toLowerCase()).join(', then ')}`
}
