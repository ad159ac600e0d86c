import type { ChosenColumn, Density } from '#lib/ledger/query/list-columns.ts'
import { type Beside, withPlace } from '#lib/ledger/query/list-place.ts'
import type { Sort } from '#lib/ledger/query/search-params.ts'
import { toAddress } from './address.ts'

/**
 * What a list knows of its query in the browser: the address as text, the order and the place. The
 * tables that say what an address means weigh as much as a list itself; only the server and the
 * editor of filters have them.
 */
export type ListView<Key extends string> = {
  /** The list's query, as in an address. */
  search: string
  sort: Sort<Key>
  /** The order that an address does not name. */
  ownSort: Sort<Key>
  beside: Beside | null
  pageSize: number
  /** Those that the address asks for; none: the list's own. */
  columns: ChosenColumn[]
  density: Density
}

export type Place<Key extends string> = { sort?: Sort<Key>; page?: number; beside?: Beside | null }

/** The address of the same list in another order or at another place. */
export function toViewAddress<Key extends string>(
  path: string,
  { search, ownSort }: Pick<ListView<Key>, 'search' | 'ownSort'>,
  { sort, page, beside }: Place<Key>,
): string {
  return toAddress(path, withPlace(search, { page, beside, sort: sort && [sort, ownSort] }))
}
