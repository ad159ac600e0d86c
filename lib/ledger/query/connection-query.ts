/** The connections page's query: search, which ones, order, page. */
import { defineQuery, oneOf, PAGE, type QueryOf, sortOf, textOf } from './list-query.ts'

export const CONNECTION_SORT_KEYS = ['attention', 'name', 'synced', 'ends', 'connected', 'lines'] as const
export type ConnectionSortKey = (typeof CONNECTION_SORT_KEYS)[number]

export const CONNECTION_SHOWS = ['all', 'attention', 'disconnected'] as const
export type ConnectionShow = (typeof CONNECTION_SHOWS)[number]

/** The parameter of the search text. */
export const TEXT_NAME = 'q'

const CONNECTION_QUERY = defineQuery({
  text: textOf(TEXT_NAME),
  show: oneOf('show', CONNECTION_SHOWS),
  /** What needs attention comes first. */
  sort: sortOf<ConnectionSortKey>(CONNECTION_SORT_KEYS, { key: 'attention', descending: false }),
  page: PAGE,
})

export type ConnectionQuery = QueryOf<typeof CONNECTION_QUERY.parameters>

/** `parse` never throws, and `parse(write(query))` is `query`. */
export const {
  empty: DEFAULT_CONNECTION_QUERY,
  parse: parseConnectionQuery,
  write: writeConnectionQuery,
} = CONNECTION_QUERY
