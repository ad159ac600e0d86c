/** The lines list's query: the address is the state, and this module is the only one that reads or writes it. */
import type { Day } from '../reconcile/day.ts'
import {
  DEFAULT_PAGE_SIZE,
  type RawSearchParams,
  readCurrencies,
  readDay,
  readPage,
  readPageSize,
  readSort,
  readText,
  readValue,
  readValues,
  type Sort,
  writePaging,
  writePairs,
} from './search-params.ts'

export { type RawSearchParams, toSearchParams } from './search-params.ts'

export const LINE_SORT_KEYS = [
  'expense_date',
  'issuing_date',
  'description',
  'trip',
  'vertical',
  'cost_center',
  'quantity',
  'total_amount',
  'difference',
  'invoice',
  'status',
] as const

export type LineSortKey = (typeof LINE_SORT_KEYS)[number]

/**
 * Which lines. In each list an empty text stands for "unknown"; an empty list filters nothing. `text` also finds an exact
 * total, whichever decimal mark and sign it is typed with. Days are inclusive; `from` after `to` finds nothing.
 */
export type LineFilters = {
  connections: string[]
  from: Day | null
  to: Day | null
  dateField: 'expense' | 'issued'
  currencies: string[]
  verticals: string[]
  costCenters: string[]
  trips: string[]
  statuses: string[]
  modes: string[]
  profiles: string[]
  services: string[]
  invoices: string[]
  /** Kinds of finding; a line with any of them. */
  findingCodes: string[]
  findingsOnly: boolean
  text: string
}

export type LineQuery = LineFilters & {
  sort: Sort<LineSortKey>
  /** Counted from 1. */
  page: number
  /** 25 to 200. */
  pageSize: number
}

export const NO_LINE_FILTERS: LineFilters = {
  connections: [],
  from: null,
  to: null,
  dateField: 'expense',
  currencies: [],
  verticals: [],
  costCenters: [],
  trips: [],
  statuses: [],
  modes: [],
  profiles: [],
  services: [],
  invoices: [],
  findingCodes: [],
  findingsOnly: false,
  text: '',
}

export const DEFAULT_LINE_SORT: Sort<LineSortKey> = { key: 'expense_date', descending: true }

export const DEFAULT_LINE_QUERY: LineQuery = {
  ...NO_LINE_FILTERS,
  sort: DEFAULT_LINE_SORT,
  page: 1,
  pageSize: DEFAULT_PAGE_SIZE,
}

/** The repeatable filters and their names in the address. */
const LISTS = [
  ['connections', 'connection'],
  ['currencies', 'currency'],
  ['verticals', 'vertical'],
  ['costCenters', 'cost_center'],
  ['trips', 'trip'],
  ['statuses', 'status'],
  ['modes', 'mode'],
  ['profiles', 'profile'],
  ['services', 'service'],
  ['invoices', 'invoice'],
  ['findingCodes', 'finding'],
] as const

/** Reads the filters alone. Never throws; what cannot be read counts as not given. */
export function parseLineFilters(raw: RawSearchParams): LineFilters {
  const list = (name: string) => readValues(raw, name)
  return {
    connections: list('connection'),
    from: readDay(raw, 'from'),
    to: readDay(raw, 'to'),
    dateField: readValue(raw, 'date') === 'issued' ? 'issued' : 'expense',
    currencies: readCurrencies(raw),
    verticals: list('vertical'),
    costCenters: list('cost_center'),
    trips: list('trip'),
    statuses: list('status'),
    modes: list('mode'),
    profiles: list('profile'),
    services: list('service'),
    invoices: list('invoice'),
    findingCodes: list('finding'),
    findingsOnly: readValue(raw, 'findings') === '1',
    text: readText(raw, 'q'),
  }
}

/** Reads the whole query. Never throws; what cannot be read counts as not given. `parse(write(q))` equals `q`. */
export function parseLineQuery(raw: RawSearchParams): LineQuery {
  return {
    ...parseLineFilters(raw),
    sort: readSort(raw, LINE_SORT_KEYS, DEFAULT_LINE_SORT),
    page: readPage(raw),
    pageSize: readPageSize(raw),
  }
}

/** The filters as name-value pairs, defaults left out, in a fixed order. */
export function writeLineFilters(filters: LineFilters): [string, string][] {
  const pairs: [string, string][] = []
  for (const [field, name] of LISTS) for (const value of filters[field]) pairs.push([name, value])
  if (filters.from !== null) pairs.push(['from', filters.from])
  if (filters.to !== null) pairs.push(['to', filters.to])
  if (filters.dateField !== 'expense') pairs.push(['date', filters.dateField])
  if (filters.findingsOnly) pairs.push(['findings', '1'])
  if (filters.text !== '') pairs.push(['q', filters.text])
  return pairs
}

/** The query as the search part of an address, without `?`, defaults left out. */
export function writeLineQuery(query: LineQuery): string {
  return writePairs([...writeLineFilters(query), ...writePaging(query, DEFAULT_LINE_SORT)])
}

/** Whether any filter is set: an empty list because of a filter is not an empty ledger. */
export function hasLineFilters(filters: LineFilters): boolean {
  return writeLineFilters(filters).some(([name]) => name !== 'date')
}
