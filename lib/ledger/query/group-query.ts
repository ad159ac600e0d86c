/** The groups' query: the lines' filters, and what to group by. */

import { GROUP_KEYS, type GroupKey } from '#lib/reconcile/group-keys.ts'
import { COMPARISONS } from '#lib/reconcile/matrix/compared-span.ts'
import { MEASURES } from '#lib/reconcile/matrix/measures.ts'
import { DEFAULT_LINE_QUERY, type Folding, LINE_FILTERS, type LineFilters, type LineQuery } from './line-query.ts'
import { defineQuery, groupedBy, oneOf, PAGE, PAGE_SIZE, type Parameter, type QueryOf, sortOf } from './list-query.ts'
import { type RawSearchParams, readSort, readValue, type Sort } from './search-params.ts'
import { VIEW } from './view-parameter.ts'

export { toSearchParams } from './search-params.ts'

export const GROUP_SORT_KEYS = ['key', 'lines', 'total', 'findings'] as const

/**
 * `total` orders by the total in the filtered lines' most frequent currency, `total_EUR` by that in
 * one currency; groups without it come last.
 */
export type GroupSortKey = (typeof GROUP_SORT_KEYS)[number] | `total_${string}`

const DEFAULT_BY: GroupKey[] = ['trip']
const DEFAULT_SORT: Sort<GroupSortKey> = { key: 'key', descending: false }

const GROUP_SORT: Parameter<Sort<GroupSortKey>> = {
  ...sortOf<GroupSortKey>(GROUP_SORT_KEYS, DEFAULT_SORT),
  read: (raw) => readSort(raw, [...GROUP_SORT_KEYS, ...listCurrencySorts(raw)], DEFAULT_SORT),
}

/** The currency's total that an address orders by. */
function listCurrencySorts(raw: RawSearchParams): GroupSortKey[] {
  const [, key] = /^-?(total_[A-Z]{3})$/.exec(readValue(raw, 'sort') ?? '') ?? []
  return key === undefined ? [] : [key as GroupSortKey]
}

/** The currency whose total the groups are ordered by; null for the most frequent, or no total. */
export function toSortCurrency({ key }: Sort<GroupSortKey>): string | null {
  return key.startsWith('total_') ? key.slice('total_'.length) : null
}

const BY = groupedBy(GROUP_KEYS, DEFAULT_BY)

/** The key of a matrix's columns; null for a table. A key of the rows is none of the columns. */
const ACROSS: Parameter<GroupKey | null> = {
  empty: null,
  read: (raw) => {
    const given = readValue(raw, 'across')
    return GROUP_KEYS.find((key) => key === given && !BY.read(raw).includes(key)) ?? null
  },
  write: (key) => (key === null ? [] : [['across', key]]),
  narrows: false,
}

/** The currency that a matrix shows; null for the most frequent. */
const SHOWN_CURRENCY: Parameter<string | null> = {
  empty: null,
  read: (raw) => /^[A-Z]{3}$/.exec(readValue(raw, 'in') ?? '')?.[0] ?? null,
  write: (currency) => (currency === null ? [] : [['in', currency]]),
  narrows: false,
}

export const GROUP_QUERY = defineQuery({
  by: BY,
  across: ACROSS,
  measure: oneOf('measure', MEASURES),
  shownCurrency: SHOWN_CURRENCY,
  against: oneOf('against', COMPARISONS),
  ...LINE_FILTERS,
  sort: GROUP_SORT,
  page: PAGE,
  pageSize: PAGE_SIZE,
  view: VIEW,
})

export type GroupQuery = QueryOf<typeof GROUP_QUERY.parameters> & Folding

/** `parse` never throws, and `parse(write(query))` is `query`. */
export const { empty: DEFAULT_GROUP_QUERY, parse: parseGroupQuery, write: writeGroupQuery } = GROUP_QUERY

/** The filter that each group key becomes when a group is opened. */
export const FILTER_OF = {
  trip: 'trips',
  cost_center: 'costCenters',
  vertical: 'verticals',
  service: 'services',
  traveler: 'travelers',
  booker: 'bookers',
  vendor: 'vendors',
  profile: 'profiles',
  connection: 'connections',
  invoice: 'invoices',
  month: 'months',
  month_issued: 'issueMonths',
  tax_regime: 'taxRegimes',
  tax_percentage: 'taxRates',
  out_of_policy: 'policies',
  label: 'labels',
  country: 'countries',
  custom_field: 'customFields',
  finding: 'findingCodes',
} as const satisfies Record<GroupKey, keyof LineFilters>

/**
 * The groups inside one group of the first level (null = the unknown group); null if no key is
 * left.
 */
export function toChildGroupQuery(query: GroupQuery, value: string | null): GroupQuery | null {
  const [key, ...rest] = query.by
  if (key === undefined || rest.length === 0) return null
  return { ...query, [FILTER_OF[key]]: [value ?? ''], by: rest, page: 1 }
}

/** The query for the lines inside one group of the first level (null = the unknown group). */
export function toGroupLineQuery(query: GroupQuery, value: string | null): LineQuery {
  return { ...toLineQuery(query), [FILTER_OF[query.by[0] ?? GROUP_KEYS[0]]]: [value ?? ''] }
}

/** The query for all lines that are grouped. */
export function toLineQuery(query: GroupQuery): LineQuery {
  const { by: _by, across: _across, measure: _measure, shownCurrency: _shown, against: _against, ...others } = query
  const { sort: _sort, page: _page, pageSize: _pageSize, view: _view, ...filters } = others
  return { ...DEFAULT_LINE_QUERY, ...filters }
}
