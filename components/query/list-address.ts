/**
 * Addresses of the lists. The query modules of the ledger write them; nothing here knows a
 * parameter's name.
 */
import type { Parameters, QueryOf } from '#lib/ledger/query/list-query.ts'
import { LISTS, type ListName, type ParametersOfLists } from './lists.ts'

/** A list with its query, as pages hand it to client components. */
export type ListQuery = {
  [List in ListName]: { list: List; query: QueryOf<(typeof LISTS)[List]['query']['parameters']> }
}[ListName]

export function toListAddress({ list, query }: ListQuery): string {
  return toAddress(`/${list}`, LISTS[list].query.write(query as never))
}

/** The address of a path with a query that may be empty. */
export function toAddress(path: string, search: string): string {
  return search === '' ? path : `${path}?${search}`
}

/**
 * The same list with some filters changed, from its first page on: a filter changes what the pages
 * are.
 */
export function withFilters(target: ListQuery, patch: Partial<FilterValues>): ListQuery {
  return { ...target, query: { ...target.query, ...patch, page: 1 } } as ListQuery
}

type NameIn<Table> = Table extends unknown ? keyof Table : never
type ValueIn<Table, Name extends PropertyKey> = Table extends Record<Name, { empty: infer Value }> ? Value : never

/** What can be set in the lists, under one type. */
export type FilterValues = { [Name in NameIn<ParametersOfLists>]: ValueIn<ParametersOfLists, Name> }

/** The query's filters under one type; a filter that the list does not have is not there. */
export function readFilters(target: ListQuery): Partial<FilterValues> {
  return target.query
}

/** The filters of a list when none is set. The search stays: it is no filter of the bar. */
export function listCleared(list: ListName): Partial<FilterValues> {
  const { text: _text, ...filters } = LISTS[list].query.parameters
  const set = Object.entries<Parameters[string]>(filters).filter(([, { narrows }]) => narrows)
  return Object.fromEntries(set.map(([name, { empty }]) => [name, empty]))
}

/** The address of an invoice's own page. */
export function toInvoiceAddress(connectionId: string, serialNumber: string): string {
  return `/invoices/${encodeURIComponent(connectionId)}/${encodeURIComponent(serialNumber)}`
}
