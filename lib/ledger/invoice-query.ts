/** The invoices list's query. */
import type { Verdict } from '../reconcile/completeness.ts'
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

export type { RawSearchParams } from './search-params.ts'

export const INVOICE_SORT_KEYS = [
  'issuing_date',
  'due_date',
  'serial_number',
  'profile',
  'mode',
  'status',
  'total',
  'lines',
  'findings',
] as const

export type InvoiceSortKey = (typeof INVOICE_SORT_KEYS)[number]

export const VERDICTS: readonly Verdict[] = ['lines_missing', 'differs', 'explained', 'not_provided', 'complete']

/** Which invoices. In each list an empty text stands for "unknown". Days are of issue, inclusive. */
export type InvoiceQuery = {
  connections: string[]
  from: Day | null
  to: Day | null
  currencies: string[]
  statuses: string[]
  modes: string[]
  profiles: string[]
  /** What the proof of completeness says. */
  verdicts: Verdict[]
  findingsOnly: boolean
  text: string
  sort: Sort<InvoiceSortKey>
  page: number
  pageSize: number
}

export const DEFAULT_INVOICE_SORT: Sort<InvoiceSortKey> = { key: 'issuing_date', descending: true }

export const DEFAULT_INVOICE_QUERY: InvoiceQuery = {
  connections: [],
  from: null,
  to: null,
  currencies: [],
  statuses: [],
  modes: [],
  profiles: [],
  verdicts: [],
  findingsOnly: false,
  text: '',
  sort: DEFAULT_INVOICE_SORT,
  page: 1,
  pageSize: DEFAULT_PAGE_SIZE,
}

const LISTS = [
  ['connections', 'connection'],
  ['currencies', 'currency'],
  ['statuses', 'status'],
  ['modes', 'mode'],
  ['profiles', 'profile'],
  ['verdicts', 'check'],
] as const

/** Reads the query. Never throws; what cannot be read counts as not given. `parse(write(q))` equals `q`. */
export function parseInvoiceQuery(raw: RawSearchParams): InvoiceQuery {
  return {
    connections: readValues(raw, 'connection'),
    from: readDay(raw, 'from'),
    to: readDay(raw, 'to'),
    currencies: readCurrencies(raw),
    statuses: readValues(raw, 'status'),
    modes: readValues(raw, 'mode'),
    profiles: readValues(raw, 'profile'),
    verdicts: VERDICTS.filter((verdict) => readValues(raw, 'check').includes(verdict)),
    findingsOnly: readValue(raw, 'findings') === '1',
    text: readText(raw, 'q'),
    sort: readSort(raw, INVOICE_SORT_KEYS, DEFAULT_INVOICE_SORT),
    page: readPage(raw),
    pageSize: readPageSize(raw),
  }
}

/** The query as the search part of an address, without `?`, defaults left out. */
export function writeInvoiceQuery(query: InvoiceQuery): string {
  return writePairs([...writeInvoiceFilters(query), ...writePaging(query, DEFAULT_INVOICE_SORT)])
}

/** Whether any filter is set: an empty list because of a filter is not an empty ledger. */
export function hasInvoiceFilters(query: InvoiceQuery): boolean {
  return writeInvoiceFilters(query).length > 0
}

function writeInvoiceFilters(query: InvoiceQuery): [string, string][] {
  const pairs: [string, string][] = []
  for (const [field, name] of LISTS) for (const value of query[field]) pairs.push([name, value])
  if (query.from !== null) pairs.push(['from', query.from])
  if (query.to !== null) pairs.push(['to', query.to])
  if (query.findingsOnly) pairs.push(['findings', '1'])
  if (query.text !== '') pairs.push(['q', query.text])
  return pairs
}
