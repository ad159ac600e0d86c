/**
 * Random questions of pivots, and what DuckDB answers them with over the product's own file of
 * lines (`npm run bench -- pivots`).
 */
import { GROUP_SORT_KEYS } from '#lib/ledger/query/group-query.ts'
import type { Folding, LineFilters } from '#lib/ledger/query/line-query.ts'
import { MATRIX_QUERY, type MatrixQuery } from '#lib/ledger/query/matrix-query.ts'
import type { Day } from '#lib/reconcile/day.ts'
import { GROUP_KEYS, type GroupKey } from '#lib/reconcile/group-keys.ts'
import { foldName } from '#lib/reconcile/look-alikes.ts'
import { MEASURES, type Measure } from '#lib/reconcile/matrix/measures.ts'

/** A whole number from 0 to below the limit. */
type Random = (limit: number) => number

/** Seeded: a question that fails is asked again. */
export function createRandom(seed: number): Random {
  let state = seed
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}

/** The file's columns behind each key, as DuckDB reads them: all texts, empty ones null. */
const VALUES: Record<GroupKey, string> = {
  trip: 'trip_id',
  cost_center: 'cost_center',
  vertical: 'related_vertical',
  service: 'service',
  traveler: `string_split(travelers, '; ')`,
  booker: 'booker',
  vendor: 'vendor_name',
  profile: 'profile_id',
  connection: 'connection_id',
  invoice: 'invoice_serial_number',
  month: 'expense_date[1:7]',
  month_issued: 'issuing_date[1:7]',
  tax_regime: 'tax_regime',
  tax_percentage: 'tax_percentage::decimal(18, 6)::varchar',
  out_of_policy: 'out_of_policy',
  label: `string_split(labels, '; ')`,
  country: 'country_code',
  custom_field: `string_split(custom_fields, '; ')`,
  finding: `string_split(finding_codes, ' ')`,
}
const LISTS: readonly GroupKey[] = ['traveler', 'label', 'custom_field', 'finding']

/** Reviews are in no file that is put beside it. */
type Asked = Exclude<Measure, 'undecided'>
const isAsked = (measure: Measure): measure is Asked => measure !== 'undecided'

const SUMS: Record<Asked, string> = {
  total: 'sum(total_amount::decimal(24, 8))',
  net: 'sum(quantity::decimal(12, 4) * unit_price::decimal(24, 8))',
  non_taxable: 'sum(quantity::decimal(12, 4) * non_taxable_unit_price::decimal(24, 8))',
  tax: 'sum(tax_amount::decimal(24, 8))',
  lines: 'count(*)',
  findings: `coalesce(sum(len(string_split(finding_codes, ' '))), 0)`,
  unexplained: 'sum(unexplained_difference::decimal(24, 8))',
}

type Filtered = Pick<
  LineFilters,
  | 'costCenters'
  | 'verticals'
  | 'travelers'
  | 'labels'
  | 'months'
  | 'issueMonths'
  | 'policies'
  | 'from'
  | 'to'
  | 'dateField'
>

/** What there is to filter by, of each key that questions filter by. */
export type Choices = Record<
  'cost_center' | 'vertical' | 'traveler' | 'label' | 'month' | 'month_issued' | 'out_of_policy',
  string[]
>

const FILTERS = {
  costCenters: 'cost_center',
  verticals: 'vertical',
  travelers: 'traveler',
  labels: 'label',
  months: 'month',
  issueMonths: 'month_issued',
  policies: 'out_of_policy',
} as const satisfies Partial<Record<keyof Filtered, keyof Choices>>

/** Texts that are names: DuckDB has a table of their looks, too. */
export const NAME_COLUMNS = ['cost_center', 'booker', 'vendor_name', 'travelers', 'labels'] as const
const KEYS_OF_NAMES: readonly GroupKey[] = ['cost_center', 'booker', 'vendor', 'traveler', 'label']

export const toTable = ({ foldsNames }: Folding) => (foldsNames ? 'line_of_looks' : 'line')

const quote = (text: string) => `'${text.replaceAll("'", "''")}'`

/** The columns that choices are read from. */
export function toChoicesSql(key: keyof Choices): string {
  const value = LISTS.includes(key) ? `unnest(${VALUES[key]})` : VALUES[key]
  return `select distinct value from (select ${value} as value from line) where value is not null order by 1 limit 20`
}

/** A pivot of one or two keys by another, with filters in two of three. */
export function askAtRandom(random: Random, choices: Choices): MatrixQuery {
  const pick = <T>(from: readonly T[]) => from[random(from.length)] as T
  const keys = [...GROUP_KEYS]
  const [outer, inner, across] = [0, 1, 2].map(() => keys.splice(random(keys.length), 1)[0]) as [
    GroupKey,
    GroupKey,
    GroupKey,
  ]
  const filters: Partial<Filtered> = {}
  for (const [name, key] of Object.entries(FILTERS) as [keyof typeof FILTERS, keyof Choices][])
    if (random(12) === 0 && choices[key].length > 0)
      filters[name] = [...new Set([pick(choices[key]), pick(['', pick(choices[key])])])]
  if (random(3) === 0) {
    const [from, to] = [pick(SPANS), pick(SPANS)].sort() as [Day, Day]
    Object.assign(filters, { from, to, dateField: pick(['expense', 'issued']) })
  }
  return {
    ...MATRIX_QUERY.empty,
    ...filters,
    by: random(2) === 0 ? [outer] : [outer, inner],
    across,
    measure: pick(MEASURES.filter(isAsked)),
    against: pick(['none', 'before', 'year']),
    sort: { key: pick(GROUP_SORT_KEYS.filter((key) => key !== 'findings')), descending: random(2) === 0 },
    pageSize: 200,
    foldsNames: random(2) === 0,
  }
}

const SPANS = [
  '2026-01-01',
  '2026-01-17',
  '2026-02-28',
  '2026-03-01',
  '2026-03-31',
  '2026-06-30',
  '2026-07-05',
  '2026-12-31',
]

/** The lines of a question, as DuckDB's condition. */
export function toWhere(query: LineFilters, currency: string): string {
  const parts = (Object.keys(FILTERS) as (keyof typeof FILTERS)[]).flatMap((name) =>
    query[name].length === 0 ? [] : [toFilter(FILTERS[name], toAsked(FILTERS[name], query[name], query))],
  )
  const day = query.dateField === 'issued' ? 'issuing_date' : 'expense_date'
  if (query.from !== null) parts.push(`${day} >= ${quote(query.from)}`)
  if (query.to !== null) parts.push(`${day} <= ${quote(query.to)}`)
  return [`currency = ${quote(currency)}`, ...parts].join(' and ')
}

/** What is asked for, as the table has it. */
function toAsked(key: GroupKey, values: readonly string[], { foldsNames }: Folding): readonly string[] {
  return foldsNames && KEYS_OF_NAMES.includes(key) ? values.map(foldName) : values
}

function toFilter(key: GroupKey, values: readonly string[]): string {
  const known = `[${values
    .filter((value) => value !== '')
    .map(quote)
    .join(', ')}]::varchar[]`
  const found = LISTS.includes(key)
    ? `list_has_any(${VALUES[key]}, ${known})`
    : `list_contains(${known}, ${VALUES[key]})`
  return values.includes('') ? `(coalesce(${found}, false) or ${VALUES[key]} is null)` : `coalesce(${found}, false)`
}

/** Sums of the lines of a condition by some keys: values as texts, the amount, the lines. */
export function toSumSql(query: MatrixQuery, keys: readonly GroupKey[], where: string): string {
  // one after the other: two lists of one select would be taken apart side by side
  const lines = keys.reduce(
    (from, key, at) => `(select *, ${toValue(key, query)} as key_${at} from ${from})`,
    `(select * from ${toTable(query)} where ${where})`,
  )
  const columns = keys.map((_, at) => `key_${at}`)
  const by = columns.length === 0 ? '' : `group by ${columns.join(', ')}`
  return `select ${columns.map((column) => `${column}::varchar, `).join('')} ${SUMS[query.measure as Asked]}::varchar, count(*)::varchar
          from ${lines} ${by} having count(*) > 0`
}

/** One row for each of several values; of these, those that a filter asks for. */
function toValue(key: GroupKey, query: LineFilters): string {
  if (!LISTS.includes(key)) return VALUES[key]
  const filter = key === 'traveler' ? query.travelers : key === 'label' ? query.labels : []
  const asked = toAsked(key, filter, query).filter((value) => value !== '')
  const known = `[${asked.map(quote).join(', ')}]::varchar[]`
  const among = asked.length === 0 ? VALUES[key] : `list_intersect(${VALUES[key]}, ${known})`
  return `unnest(coalesce(nullif(list_distinct(${among}), []::varchar[]), [null]::varchar[]))`
}
