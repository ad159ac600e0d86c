/** Addresses of saved views. The list's own parser reads and writes them. */
import { FIRST_PAGE } from '#lib/ledger/query/list-query.ts'
import type { ViewRef } from '#lib/ledger/query/view-parameter.ts'
import { toAddress } from './address.ts'
import { type ListQuery, readListQuery, writeListQuery } from './list-address.ts'
import type { ListName } from './lists.ts'

/** Single records that somebody has picked are a selection, and no view. */
const NO_SELECTION = { picked: [] }

/**
 * What a view keeps of an address: filters, order, columns and keys as the list writes them,
 * without the place in the list, a selection or the view that it came from. Two addresses that show
 * the same are the same text.
 */
export function toSavedSearch(list: ListName, search: string): string {
  return writeSaved(readListQuery(list, search), null)
}

/** The same of a query that is read already. */
export function writeSavedSearch(target: ListQuery): string {
  return writeSaved(target, null)
}

/** The search part of the address that a view is opened by. */
export function toViewedSearch(list: ListName, search: string, view: ViewRef | null): string {
  return writeSaved(readListQuery(list, search), view)
}

/** The address of a saved view, on this and every later day. */
export function toSavedAddress(list: ListName, { search, id, version }: ViewRef & { search: string }): string {
  return toAddress(`/${list}`, toViewedSearch(list, search, { id, version }))
}

function writeSaved({ list, query }: ListQuery, view: ViewRef | null): string {
  return writeListQuery({ list, query: { ...query, ...NO_SELECTION, ...FIRST_PAGE, view } } as ListQuery)
}
