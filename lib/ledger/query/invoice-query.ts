import { INVOICE_FINDING_CODES } from '#lib/reconcile/invoice-finding.ts'
import type { INVOICE_FIELDS } from '#lib/reconcile/records.ts'
import { REVIEW_CHOICES } from '#lib/reconcile/review/review-state.ts'
import { INVOICE_STATES } from '#lib/reconcile/verdict.ts'
import { columnsOf, DENSITY } from './column-parameters.ts'
import { INVOICE_COLUMN_NAMES } from './invoice-columns.ts'
import {
  BESIDE,
  currenciesOf,
  dayOf,
  defineQuery,
  type FilterTable,
  firstDayOf,
  hasFilters,
  PAGE,
  PAGE_SIZE,
  type QueryOf,
  someOf,
  sortOf,
  switchOf,
  textOf,
  valuesOf,
} from './list-query.ts'
import type { Sort } from './search-params.ts'
import { VIEW } from './view-parameter.ts'

export const INVOICE_SORT_KEYS = [
  'issuing_date',
  'due_date',
  'serial_number',
  'profile',
  'mode',
  'status',
  'total',
  'lines',
  'check',
  'findings',
] as const

export type InvoiceSortKey = (typeof INVOICE_SORT_KEYS)[number]

export const INVOICE_FILTERS = {
  connections: valuesOf('connection', {
    of: 'connectionId',
    label: 'Connection',
    unknown: 'No connection',
    choices: 'connections',
  }),
  currencies: currenciesOf('currency', { of: 'currency', label: 'Currency' }),
  statuses: valuesOf('status', { of: 'status', label: 'Status', unknown: 'Unknown status' }),
  modes: valuesOf('mode', { of: 'mode', label: 'Mode', unknown: 'Unknown mode' }),
  profiles: valuesOf('profile', { of: 'profileId', nameOf: 'profileName', label: 'Profile', unknown: 'No profile' }),
  findingsOnly: switchOf('findings', { label: 'Findings only', isFirst: true }),
  /** Its state by itself; its lines have states of their own. */
  states: someOf('check', INVOICE_STATES, { label: 'Tie-out', choices: 'fixed', isFirst: true }),
  /** What is wrong with the invoice itself. */
  findings: someOf('finding', INVOICE_FINDING_CODES, { label: 'Invoice finding', choices: 'fixed' }),
  /** Where those with findings of their own stand; one that was decided stands somewhere, too. */
  reviews: someOf('review', REVIEW_CHOICES, { label: 'Review', choices: 'fixed', isFirst: true }),
  /** Numbers of decisions: invoices that stand by one of them. */
  decisions: valuesOf('decision', { label: 'Decision', choices: 'link' }),
  credit: switchOf('credit', { label: 'Credit used' }),
  goneOnly: switchOf('gone', { label: 'Removed by the platform' }),
  /** Days of issue, inclusive. */
  from: firstDayOf('from', { label: 'Date', isFirst: true }),
  to: dayOf('to'),
  text: textOf('q'),
} satisfies FilterTable<keyof typeof INVOICE_FIELDS | 'connectionId'>

const DEFAULT_INVOICE_SORT: Sort<InvoiceSortKey> = { key: 'issuing_date', descending: true }

export const INVOICE_QUERY = defineQuery({
  ...INVOICE_FILTERS,
  sort: sortOf(INVOICE_SORT_KEYS, DEFAULT_INVOICE_SORT),
  columns: columnsOf(INVOICE_COLUMN_NAMES),
  density: DENSITY,
  page: PAGE,
  beside: BESIDE,
  pageSize: PAGE_SIZE,
  view: VIEW,
})

export type InvoiceQuery = QueryOf<typeof INVOICE_QUERY.parameters>

/** `parse` never throws, and `parse(write(query))` is `query`. */
export const { empty: DEFAULT_INVOICE_QUERY, parse: parseInvoiceQuery, write: writeInvoiceQuery } = INVOICE_QUERY

/** Whether any filter is set: an empty list because of a filter is not an empty ledger. */
export function hasInvoiceFilters(query: InvoiceQuery): boolean {
  return hasFilters(INVOICE_FILTERS, query)
}
