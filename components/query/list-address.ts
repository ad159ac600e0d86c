/** Addresses of the lists. The ledger's query modules write them; no parameter is named here. */
import { FIRST_PAGE, type QueryOf } from '#lib/ledger/query/list-query.ts'
import { toSearchParams } from '#lib/ledger/query/search-params.ts'
import { toAddress } from './address.ts'
import { LISTS, type ListName, type ParametersOfLists } from './lists.ts'

/** A list with its query, as pages pass it to client components. */
export type ListQuery = {
  [List in ListName]: { list: List; query: QueryOf<(typeof LISTS)[List]['query']['parameters']> }
}[ListName]

/**
 * The query in the search part of an address. Pages pass it to client components so: written out, a
 * query names every filter that is not set.
 */
export function readListQuery<List extends ListName>(list: List, search: string): ListQuery & { list: List } {
  const query = LISTS[list].query.parse(toSearchParams(new URLSearchParams(search)))
  return { list, query } as unknown as ListQuery & { list: List }
}

/** The search part of its address. */
export function writeListQuery({ list, query }: ListQuery): string {
  return LISTS[list].query.write(query as never)
}

export function toListAddress(target: ListQuery): string {
  return toAddress(`/${target.list}`, writeListQuery(target))
}

/** The same list with some filters changed, from its first page: other filters mean other pages. */
export function withFilters(target: ListQuery, patch: Partial<FilterValues>): ListQuery {
  return { ...target, query: { ...target.query, ...patch, ...FIRST_PAGE } } as ListQuery
}

type NameIn<Table> = Table extends unknown ? keyof Table : never
type ValueIn<Table, Name extends PropertyKey> = Table extends Record<Name, { empty: infer Value }> ? Value : never

/** Every filter of every list, as one type. */
export type FilterValues = { [Name in NameIn<ParametersOfLists>]: ValueIn<ParametersOfLists, Name> }

/** The query's filters under one type; filters that the list lacks are absent. */
export function readFilters(target: ListQuery): Partial<FilterValues> {
  return target.query
}
