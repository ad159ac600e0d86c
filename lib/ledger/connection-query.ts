/** The connections page's address, read and written by one module: search, which ones, order, page. */
import {
  type RawSearchParams,
  readPage,
  readSort,
  readText,
  readValue,
  type Sort,
  writePairs,
} from './search-params.ts'

export const CONNECTION_SORT_KEYS = ['attention', 'name', 'synced', 'ends', 'connected', 'lines'] as const
export type ConnectionSortKey = (typeof CONNECTION_SORT_KEYS)[number]

export const CONNECTION_SHOWS = ['all', 'attention', 'disconnected'] as const
export type ConnectionShow = (typeof CONNECTION_SHOWS)[number]

export type ConnectionQuery = {
  text: string
  show: ConnectionShow
  sort: Sort<ConnectionSortKey>
  page: number
}

/** What needs somebody comes first. */
export const DEFAULT_CONNECTION_QUERY: ConnectionQuery = {
  text: '',
  show: 'all',
  sort: { key: 'attention', descending: false },
  page: 1,
}

/** Reads an address; never throws, and what it does not know counts as not there. */
export function parseConnectionQuery(raw: RawSearchParams): ConnectionQuery {
  return {
    text: readText(raw, 'q'),
    show: CONNECTION_SHOWS.find((known) => known === readValue(raw, 'show')) ?? 'all',
    sort: readSort(raw, CONNECTION_SORT_KEYS, DEFAULT_CONNECTION_QUERY.sort),
    page: readPage(raw),
  }
}

/** Writes what differs from the default; `parseConnectionQuery` reads it back. */
export function writeConnectionQuery({ text, show, sort, page }: ConnectionQuery): string {
  const pairs: [string, string][] = []
  if (text !== '') pairs.push(['q', text])
  if (show !== 'all') pairs.push(['show', show])
  const isDefault = sort.key === DEFAULT_CONNECTION_QUERY.sort.key && !sort.descending
  if (!isDefault) pairs.push(['sort', `${sort.descending ? '-' : ''}${sort.key}`])
  if (page !== 1) pairs.push(['page', String(page)])
  return writePairs(pairs)
}
