/** The groups' query: the same filters as the lines, and what to group by. */
import { GROUP_KEYS, type GroupKey, isGroupKey } from '../reconcile/group-keys.ts'
import {
  DEFAULT_LINE_QUERY,
  type LineFilters,
  type LineQuery,
  NO_LINE_FILTERS,
  parseLineFilters,
  writeLineFilters,
} from './line-query.ts'
import {
  DEFAULT_PAGE_SIZE,
  type RawSearchParams,
  readPage,
  readPageSize,
  readSort,
  readValues,
  type Sort,
  writePaging,
  writePairs,
} from './search-params.ts'

export { type RawSearchParams, toSearchParams } from './search-params.ts'

export const GROUP_SORT_KEYS = ['key', 'lines', 'total', 'findings'] as const

/** `total` orders by the total in the filtered lines' most frequent currency; groups without it come last. */
export type GroupSortKey = (typeof GROUP_SORT_KEYS)[number]

export type GroupQuery = LineFilters & {
  /** One to three different keys, outermost first. */
  by: GroupKey[]
  sort: Sort<GroupSortKey>
  page: number
  pageSize: number
}

export const DEFAULT_GROUP_SORT: Sort<GroupSortKey> = { key: 'key', descending: false }

export const DEFAULT_GROUP_QUERY: GroupQuery = {
  ...NO_LINE_FILTERS,
  by: ['trip'],
  sort: DEFAULT_GROUP_SORT,
  page: 1,
  pageSize: DEFAULT_PAGE_SIZE,
}

/** Reads the query. Never throws; unknown keys are left out, no key at all means by trip. `parse(write(q))` equals `q`. */
export function parseGroupQuery(raw: RawSearchParams): GroupQuery {
  const keys = readValues(raw, 'by')
    .flatMap((value) => value.split(','))
    .filter(isGroupKey)
  const by = [...new Set(keys)]
  return {
    ...parseLineFilters(raw),
    by: by.length === 0 ? [...DEFAULT_GROUP_QUERY.by] : by,
    sort: readSort(raw, GROUP_SORT_KEYS, DEFAULT_GROUP_SORT),
    page: readPage(raw),
    pageSize: readPageSize(raw),
  }
}

/** The query as the search part of an address, without `?`, defaults left out. */
export function writeGroupQuery(query: GroupQuery): string {
  const by = query.by.join(',')
  return writePairs([
    ...(by === DEFAULT_GROUP_QUERY.by.join(',') ? [] : ([['by', by]] as const)),
    ...writeLineFilters(query),
    ...writePaging(query, DEFAULT_GROUP_SORT),
  ])
}

/** The filter that each group key becomes when a group is opened. */
const FILTER_OF = { trip: 'trips', cost_center: 'costCenters', vertical: 'verticals' } as const satisfies Record<
  GroupKey,
  keyof LineFilters
>

/** The groups inside one group of the first level (null = the unknown group), or null when there is no further key. */
export function toChildGroupQuery(query: GroupQuery, value: string | null): GroupQuery | null {
  const [key, ...rest] = query.by
  if (key === undefined || rest.length === 0) return null
  return { ...query, [FILTER_OF[key]]: [value ?? ''], by: rest, page: 1 }
}

/** The lines inside one group of the first level (null = the unknown group), as the lines list asks for them. */
export function toGroupLineQuery(query: GroupQuery, value: string | null): LineQuery {
  const { by, sort: _sort, page: _page, pageSize: _pageSize, ...filters } = query
  const key = by[0] ?? GROUP_KEYS[0]
  return { ...DEFAULT_LINE_QUERY, ...filters, [FILTER_OF[key]]: [value ?? ''] }
}
