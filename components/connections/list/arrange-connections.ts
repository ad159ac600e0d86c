import { listConcerns, toUrgency } from '#lib/connections/concerns.ts'
import type { ConnectionSummary } from '#lib/connections/model.ts'
import type { ConnectionQuery, ConnectionSortKey } from '#lib/ledger/query/connection-query.ts'
import { toAccountName } from '../connection-state.ts'

export const CONNECTIONS_PER_PAGE = 50

export type ArrangedConnections = {
  rows: ConnectionSummary[]
  /** Matches on all pages. */
  count: number
  page: number
  pageCount: number
  counts: { all: number; attention: number; disconnected: number }
}

/**
 * The connections that match a query, sorted and cut to its page; `now` in milliseconds. A page
 * past the end becomes the last one.
 */
export function arrangeConnections(
  connections: ConnectionSummary[],
  query: ConnectionQuery,
  now: number,
): ArrangedConnections {
  const urgencies = new Map(connections.map((connection) => [connection.id, toUrgency(listConcerns(connection, now))]))
  const isUrgent = ({ id }: ConnectionSummary) => urgencies.get(id) !== 2
  const isOff = ({ state }: ConnectionSummary) => state === 'disconnected'
  const fitting = connections.filter(
    (connection) =>
      matches(connection, query.text) &&
      (query.show === 'all' || (query.show === 'attention' ? isUrgent(connection) : isOff(connection))),
  )
  const direction = query.sort.descending ? -1 : 1
  const sorted = fitting.sort(
    (a, b) =>
      direction * compare(a, b, query.sort.key, urgencies) ||
      compareText(toAccountName(a), toAccountName(b)) ||
      compareText(a.id, b.id),
  )
  const pageCount = Math.max(1, Math.ceil(sorted.length / CONNECTIONS_PER_PAGE))
  const page = Math.min(query.page, pageCount)
  return {
    rows: sorted.slice((page - 1) * CONNECTIONS_PER_PAGE, page * CONNECTIONS_PER_PAGE),
    count: sorted.length,
    page,
    pageCount,
    counts: {
      all: connections.length,
      attention: connections.filter(isUrgent).length,
      disconnected: connections.filter(isOff).length,
    },
  }
}

/** Matches when each word is in the name, a profile's name or who connected it, or begins an id. */
function matches(connection: ConnectionSummary, text: string): boolean {
  if (text === '') return true
  const { profiles, connectedBy, id } = connection
  const names = [toAccountName(connection), connectedBy ?? '', ...profiles.map(({ name }) => name ?? '')]
  const haystack = names.join('\n').toLowerCase()
  const ids = [id, ...profiles.map((profile) => profile.id.toLowerCase())]
  // fewer digits begin too many ids
  const isId = (word: string) => word.length >= 4 && ids.some((each) => each.startsWith(word))
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => haystack.includes(word) || isId(word))
}

function compare(
  a: ConnectionSummary,
  b: ConnectionSummary,
  key: ConnectionSortKey,
  urgencies: Map<string, number>,
): number {
  switch (key) {
    case 'attention':
      // disconnected ones come after the healthy ones
      return toRank(a, urgencies) - toRank(b, urgencies)
    case 'name':
      return compareText(toAccountName(a), toAccountName(b))
    case 'synced':
      return compareMoments(a.lastGoodSyncAt, b.lastGoodSyncAt)
    case 'ends':
      return compareMoments(a.refreshExpiresAt, b.refreshExpiresAt)
    case 'connected':
      return compareMoments(a.connectedAt, b.connectedAt)
    case 'lines':
      return a.lineCount - b.lineCount
  }
}

function toRank(connection: ConnectionSummary, urgencies: Map<string, number>): number {
  return (urgencies.get(connection.id) ?? 2) + (connection.state === 'disconnected' ? 1 : 0)
}

function compareText(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true, sensitivity: 'base' })
}

/** Earliest first; null means never and counts as earliest. */
function compareMoments(a: string | null, b: string | null): number {
  return (a === null ? 0 : Date.parse(a)) - (b === null ? 0 : Date.parse(b))
}
