import type { GroupKey, SHARED_KEYS } from '#lib/reconcile/group-keys.ts'
import { FILTER_OF } from '../query/group-query.ts'
import type { LineFilters } from '../query/line-query.ts'
import { joinLook, toLook } from '../sql/name-look.ts'
import type { OwnPlaceholder, SqlParameters } from '../sql/sql-parameters.ts'
import type { LineSource, ToldColumn } from './line-source.ts'

/** A group key in SQL of lines, or of the roll-up that stands for them (`l`). */
type KeyColumns = {
  /** What a source has to tell apart. */
  columns: readonly ToldColumn[]
  /** A line's value as text; null where it does not say. The allow-list for GROUP BY. */
  value: string
  /** What orders groups by `g.value`, where its text would not. */
  order?: string
}

type SharedKey = (typeof SHARED_KEYS)[number]

/** The list of each key of which a line can have several values. */
const LISTS: Record<SharedKey, string> = {
  traveler: 'l.traveler_names',
  label: 'l.labels',
  custom_field: 'l.custom_fields',
  finding: 'l.finding_codes',
}

const KEYS: Record<Exclude<GroupKey, SharedKey>, KeyColumns> = {
  trip: { columns: ['trip_id'], value: 'l.trip_id' },
  cost_center: { columns: ['cost_center'], value: 'l.cost_center' },
  vertical: { columns: ['related_vertical'], value: 'l.related_vertical' },
  service: { columns: ['service'], value: 'l.service' },
  booker: { columns: ['booker_name'], value: 'l.booker_name' },
  vendor: { columns: ['vendor_name'], value: 'l.vendor_name' },
  profile: { columns: ['profile_id', 'profile_name'], value: 'l.profile_id' },
  connection: { columns: ['connection_id'], value: 'l.connection_id::text' },
  invoice: { columns: ['invoice_serial_number'], value: 'l.invoice_serial_number' },
  month: { columns: ['expense_date'], value: `to_char(l.expense_date, 'YYYY-MM')` },
  month_issued: { columns: ['issuing_month'], value: `to_char(l.issuing_date, 'YYYY-MM')` },
  tax_regime: { columns: ['tax_regime'], value: 'l.tax_regime' },
  tax_percentage: {
    columns: ['tax_percentage'],
    value: 'trim_scale(l.tax_percentage)::text',
    order: 'g.value::numeric',
  },
  country: { columns: ['country_code'], value: 'l.country_code' },
  out_of_policy: { columns: ['out_of_policy'], value: 'l.out_of_policy::text' },
}

/** Rows of a source with the values of a key. */
export type KeyedRows = {
  columns: readonly ToldColumn[]
  value: string
  /** Joins a line with each of its values; empty where it has one. */
  join: string
}

/** The columns of names that may be written in several ways that look alike. */
const NAMES: Partial<Record<GroupKey, string>> = {
  cost_center: 'l.cost_center',
  booker: 'l.booker_name',
  vendor: 'l.vendor_name',
}
/** Lists of such names. */
const LISTS_OF_NAMES: readonly SharedKey[] = ['traveler', 'label']

const isShared = (key: GroupKey): key is SharedKey => Object.hasOwn(LISTS, key)

/**
 * A key of lines under these filters. Of the values that a line shares, those that the filters ask
 * for: then the lines of each group are those that its own filter finds. Where names that look
 * alike count as one, the filters have every spelling (`spellOut`), and the values are looks. What
 * a lateral join looks up names the organization by its own placeholder: by the line’s column it
 * ended a cluster’s server (decision 067).
 */
export function toKeyedRows(
  key: GroupKey,
  filters: LineFilters,
  parameters: SqlParameters,
  own: OwnPlaceholder,
): KeyedRows {
  const folds = filters.foldsNames === true
  const name = NAMES[key]
  if (!isShared(key) && folds && name !== undefined)
    return {
      ...KEYS[key],
      value: toLook(name, `look_${key}`),
      join: joinLook('l.organization_id', name, `look_${key}`),
    }
  if (!isShared(key)) return { ...KEYS[key], join: '' }
  const asked = filters[FILTER_OF[key]].filter((value) => value !== '')
  const among = asked.length === 0 ? '' : `and each = any(${parameters.add(asked)}::text[])`
  const [value, join] =
    folds && LISTS_OF_NAMES.includes(key) ? [toLook('each', 'k'), joinLook(own(), 'each', 'k')] : ['each', '']
  return {
    columns: [TOLD_BY_LINES[key]],
    value: `of_${key}.value`,
    join: `left join lateral (
      select distinct ${value} as value from unnest(${LISTS[key]}) each ${join} where each <> '' ${among}) of_${key} on true`,
  }
}

/** No roll-up has them. */
const TOLD_BY_LINES = {
  traveler: 'traveler_names',
  label: 'labels',
  custom_field: 'custom_fields',
  finding: 'finding_codes',
} as const satisfies Record<SharedKey, ToldColumn>

/** SQL that groups `g` by a key are in the order of, without their names. */
export function toKeyOrder(key: GroupKey): string {
  return isShared(key) ? 'g.value' : (KEYS[key].order ?? 'g.value')
}

/** SQL for the text that names a group, of its rows of `l`; see `toGroupLabel`. */
export function toDatedLabel(key: GroupKey, source: LineSource): string {
  if (key === 'trip') return source.datedLabel
  // of one day: of several names the last one alphabetically
  return key === 'profile' ? `max('0000-00-00 ' || l.profile_name)` : 'null::text'
}

/**
 * SQL for a group's name, from its value and its latest dated label.
 */
export function toGroupLabel(key: GroupKey, value: string, datedLabel: string, own: OwnPlaceholder): string {
  if (key !== 'connection') return toTripLabel(datedLabel)
  return `(select c.name from connection c where c.organization_id = ${own()} and c.id::text = ${value})`
}

/**
 * SQL for the label inside a dated one. A trip's name can vary between lines. Its label is the name
 * on its latest expense date (the last alphabetically if a day has several). The day before the
 * name lets one `max` find it.
 */
export function toTripLabel(datedLabel: string): string {
  return `substr(${datedLabel}, 12)`
}
