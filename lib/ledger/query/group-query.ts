/** The groups' query: the lines' filters, and what to group by. */
import { GROUP_KEYS, type GroupKey } from '#lib/reconcile/group-keys.ts'
import { DEFAULT_LINE_QUERY, LINE_FILTERS, type LineFilters, type LineQuery } from './line-query.ts'
import { defineQuery, groupedBy, PAGE, PAGE_SIZE, type QueryOf, sortOf } from './list-query.ts'
import type { Sort } from './search-params.ts'

export { toSearchParams } from './search-params.ts'

export const GROUP_SORT_KEYS = ['key', 'lines', 'total', 'findings'] as const

/**
 * `total` orders by the total in the filtered lines' most frequent currency; groups without it come
 * last.
 */
export type GroupSortKey = (typeof GROUP_SORT_KEYS)[number]

const DEFAULT_BY: GroupKey[] = ['trip']
const DEFAULT_SORT: Sort<GroupSortKey> = { key: 'key', descending: false }

export const GROUP_QUERY = defineQuery({
  by: groupedBy(GROUP_KEYS, DEFAULT_BY),
  ...LINE_FILTERS,
  sort: sortOf(GROUP_SORT_KEYS, DEFAULT_SORT),
  page: PAGE,
  pageSize: PAGE_SIZE,
})

export type GroupQuery = QueryOf<typeof GROUP_QUERY.parameters>

/** `parse` never throws, and `parse(write(query))` is `query`. */
export const { empty: DEFAULT_GROUP_QUERY, parse: parseGroupQuery, write: writeGroupQuery } = GROUP_QUERY

/** The filter that each group key becomes when a group is opened. */
const FILTER_OF = { trip: 'trips', cost_center: 'costCenters', vertical: 'verticals' } as const satisfies Record<
  GroupKey,
  keyof LineFilters
>

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
  const { by, sort: _sort, page: _page, pageSize: _pageSize, ...filters } = query
  const key = by[0] ?? GROUP_KEYS[0]
  return { ...DEFAULT_LINE_QUERY, ...filters, [FILTER_OF[key]]: [value ?? ''] }
}
