/** The query of the list of changes: the address is the state. */
import type { Day } from '../reconcile/day.ts'
import { type RawSearchParams, readDay, readPage, readValue, readValues, writePairs } from './search-params.ts'

export type { RawSearchParams } from './search-params.ts'

/** Which changes. `since` null is the last 30 days; an empty list of connections is all of them. */
export type ChangeQuery = {
  since: Day | null
  connections: string[]
  /** Only what changed an amount. */
  moneyOnly: boolean
  /** Counted from 1. */
  page: number
}

export const DEFAULT_CHANGE_QUERY: ChangeQuery = { since: null, connections: [], moneyOnly: false, page: 1 }

export const CHANGE_GROUPS_PER_PAGE = 25
export const DEFAULT_CHANGE_DAYS = 30

/** Reads the query. Never throws; what cannot be read counts as not given. `parse(write(q))` equals `q`. */
export function parseChangeQuery(raw: RawSearchParams): ChangeQuery {
  return {
    since: readDay(raw, 'since'),
    connections: readValues(raw, 'connection'),
    moneyOnly: readValue(raw, 'money') === '1',
    page: readPage(raw),
  }
}

/** The query as the search part of an address, without `?`, defaults left out. */
export function writeChangeQuery(query: ChangeQuery): string {
  const pairs: [string, string][] = query.connections.map((id) => ['connection', id])
  if (query.since !== null) pairs.push(['since', query.since])
  if (query.moneyOnly) pairs.push(['money', '1'])
  if (query.page !== 1) pairs.push(['page', String(query.page)])
  return writePairs(pairs)
}
