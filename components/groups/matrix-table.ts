/** Addresses of a matrix in another order, at another page, or with another group open. Pure. */
import { toAddress } from '#components/query/address.ts'
import type { GroupSortKey } from '#lib/ledger/query/group-query.ts'
import { withPlace } from '#lib/ledger/query/list-place.ts'
import type { Sort } from '#lib/ledger/query/search-params.ts'
import { toGroupId } from './group-tree.ts'
import { OPEN_PARAMETER } from './open-groups.ts'

/** After the totals, where something is compared. */
export const COMPARISON_COLUMNS = ['Before', 'Change', 'Change, %'] as const

const OWN_SORT: Sort<GroupSortKey> = { key: 'key', descending: false }

export function toSortAddress(search: string, sort: Sort<GroupSortKey>): string {
  return toAddress('/groups', withPlace(search, { sort: [sort, OWN_SORT] }))
}

/** The first page in another currency, with no group open: it may have none of them. */
export function toCurrencyAddress(search: string, currency: string): string {
  const params = new URLSearchParams(withPlace(search, {}))
  params.delete(OPEN_PARAMETER)
  params.set('in', currency)
  return toAddress('/groups', params.toString())
}

export function toPlaceAddress(search: string, page: number): string {
  return toAddress('/groups', withPlace(search, { page }))
}

/** Opens a group or closes it, and keeps the page. */
export function toTurnedAddress(search: string, value: string | null, page: number): string {
  const id = toGroupId(null, value)
  const params = new URLSearchParams(withPlace(search, { page }))
  const open = params.getAll(OPEN_PARAMETER)
  params.delete(OPEN_PARAMETER)
  for (const each of open.includes(id) ? open.filter((other) => other !== id) : [...open, id])
    params.append(OPEN_PARAMETER, each)
  return toAddress('/groups', params.toString())
}

export function isOpen(search: string, value: string | null): boolean {
  return new URLSearchParams(search).getAll(OPEN_PARAMETER).includes(toGroupId(null, value))
}
