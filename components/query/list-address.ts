/** Addresses of the three lists. The query modules of the ledger write them; nothing here knows a parameter's name. */
import { type GroupQuery, writeGroupQuery } from '../../lib/ledger/group-query.ts'
import { type InvoiceQuery, writeInvoiceQuery } from '../../lib/ledger/invoice-query.ts'
import { type LineQuery, writeLineQuery } from '../../lib/ledger/line-query.ts'

/** A list with its query, as pages hand it to client components. */
export type ListQuery =
  | { list: 'lines'; query: LineQuery }
  | { list: 'groups'; query: GroupQuery }
  | { list: 'invoices'; query: InvoiceQuery }

export function toListAddress(target: ListQuery): string {
  switch (target.list) {
    case 'lines':
      return toAddress('/lines', writeLineQuery(target.query))
    case 'groups':
      return toAddress('/groups', writeGroupQuery(target.query))
    case 'invoices':
      return toAddress('/invoices', writeInvoiceQuery(target.query))
  }
}

/** The address of a path with a query that may be empty. */
export function toAddress(path: string, search: string): string {
  return search === '' ? path : `${path}?${search}`
}

/** The same list with some filters changed, from its first page on: a filter changes what the pages are. */
export function withFilters(target: ListQuery, patch: Partial<FilterValues>): ListQuery {
  return { ...target, query: { ...target.query, ...patch, page: 1 } } as ListQuery
}

/** The filters that take any number of values; each list has some of them. */
export type ChoiceKey =
  | 'connections'
  | 'profiles'
  | 'currencies'
  | 'verticals'
  | 'services'
  | 'costCenters'
  | 'trips'
  | 'statuses'
  | 'modes'
  | 'invoices'
  | 'findingCodes'
  | 'verdicts'

export type FilterValues = Record<ChoiceKey, string[]> &
  Pick<LineQuery, 'from' | 'to' | 'dateField' | 'findingsOnly' | 'text'>

/** The query's filters under one type; a filter that the list does not have is empty. */
export function readFilters(target: ListQuery): Partial<FilterValues> {
  return target.query
}

/** The address of an invoice's own page. */
export function toInvoiceAddress(connectionId: string, serialNumber: string): string {
  return `/invoices/${encodeURIComponent(connectionId)}/${encodeURIComponent(serialNumber)}`
}
