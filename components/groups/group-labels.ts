import type { GroupRow } from '#lib/ledger/model.ts'
import { formatMonth, formatNumber } from '#lib/reconcile/format.ts'
import { type GroupKey, SHARED_KEYS } from '#lib/reconcile/group-keys.ts'
import type { DecimalText } from '#lib/reconcile/money.ts'

/** A key's name, its groups as one and as many, and the group of lines that do not say. */
type KeyWords = { label: string; plural: [one: string, many: string]; unknown: string }

const KEY_WORDS: Record<GroupKey, KeyWords> = {
  trip: { label: 'Trip', plural: ['trip', 'trips'], unknown: 'No trip' },
  cost_center: { label: 'Cost center', plural: ['cost center', 'cost centers'], unknown: 'No cost center' },
  vertical: { label: 'Vertical', plural: ['vertical', 'verticals'], unknown: 'Unknown vertical' },
  service: { label: 'Service', plural: ['service', 'services'], unknown: 'Unknown service' },
  traveler: { label: 'Traveler', plural: ['traveler', 'travelers'], unknown: 'No traveler' },
  booker: { label: 'Booker', plural: ['booker', 'bookers'], unknown: 'No booker' },
  vendor: { label: 'Vendor', plural: ['vendor', 'vendors'], unknown: 'No vendor' },
  profile: { label: 'Profile', plural: ['profile', 'profiles'], unknown: 'No profile' },
  connection: { label: 'Connection', plural: ['connection', 'connections'], unknown: 'No connection' },
  invoice: { label: 'Invoice', plural: ['invoice', 'invoices'], unknown: 'No invoice' },
  month: { label: 'Month of expense', plural: ['month', 'months'], unknown: 'No day of expense' },
  month_issued: { label: 'Month of issue', plural: ['month', 'months'], unknown: 'No day of issue' },
  tax_regime: { label: 'Tax regime', plural: ['tax regime', 'tax regimes'], unknown: 'No tax regime' },
  tax_percentage: { label: 'Tax rate', plural: ['tax rate', 'tax rates'], unknown: 'No tax rate' },
  out_of_policy: { label: 'Policy', plural: ['group', 'groups'], unknown: 'Policy unknown' },
  country: { label: 'Country', plural: ['country', 'countries'], unknown: 'No country' },
  custom_field: { label: 'Custom field', plural: ['custom field', 'custom fields'], unknown: 'No custom field' },
  label: { label: 'Label', plural: ['label', 'labels'], unknown: 'No label' },
  finding: { label: 'Finding', plural: ['kind of finding', 'kinds of finding'], unknown: 'No finding' },
}

/** Words for values that are our own or a figure; all others are shown as they come. */
const VALUE_WORDS: Partial<Record<GroupKey, (value: string) => string>> = {
  month: formatMonth,
  month_issued: formatMonth,
  tax_percentage: (value) => `${formatNumber(value as DecimalText)} %`,
  out_of_policy: (value) => (value === 'true' ? 'Out of policy' : 'In policy'),
  finding: (value) => ({ total: 'Total differs', tax: 'Tax differs from its rate' })[value] ?? value,
}

export function keyLabel(key: GroupKey): string {
  return KEY_WORDS[key].label
}

export function keyPlural(key: GroupKey): [one: string, many: string] {
  return KEY_WORDS[key].plural
}

/** A group's name; for one whose value is an id, also that. */
export function toGroupName(group: Pick<GroupRow, 'values'>): { name: string; id: string | null; isUnknown: boolean } {
  const entry = group.values[0]
  if (!entry || entry.value === null)
    return { name: entry ? KEY_WORDS[entry.key].unknown : '', id: null, isUnknown: true }
  if (entry.label === null)
    return { name: VALUE_WORDS[entry.key]?.(entry.value) ?? entry.value, id: null, isUnknown: false }
  // an account's id is ours: it says nothing to people
  return { name: entry.label, id: entry.key === 'connection' ? null : entry.value, isUnknown: false }
}

/** `By trip, then vertical`. */
export function describeKeys(keys: GroupKey[]): string {
  return `By ${keys.map((key) => keyLabel(key).toLowerCase()).join(', then ')}`
}

/** What people have to know to add groups up; null if these add up to their total. */
export function describeSharing(keys: readonly GroupKey[]): string | null {
  const shared = SHARED_KEYS.filter((key) => keys.includes(key)).map((key) => keyPlural(key)[1])
  return shared.length === 0
    ? null
    : `A line with several ${shared.join(' or ')} is in each of them, and once in the total.`
}
