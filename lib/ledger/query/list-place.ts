/**
 * Where in a list one is, and how an address says it. Pure, and small: every list has it in the
 * browser, which does not know the tables of parameters (`list-query.ts`).
 */
import { type ConnectionId, parseConnectionId } from '#lib/ids.ts'
import type { Sort } from './search-params.ts'

/** A record of a list by its account and its id there. */
export type RowKey = { connectionId: string; id: string }

/**
 * Where a page begins, other than by its number: right after a record, or so that it ends right
 * before one; before none is the end of the list.
 */
export type Beside = { side: 'after'; row: RowKey } | { side: 'before'; row: RowKey | null }

/** The parameters that say where in a list one is. */
export const PLACE_PARAMETERS = ['page', 'after', 'before']

/** For another order or other filters, of which the present place says nothing. */
export const FIRST_PAGE: { page: number; beside: Beside | null } = { page: 1, beside: null }

type Pair = [name: string, value: string]

/** Connection ids contain no `~`. */
export function writeRowKey({ connectionId, id }: RowKey): string {
  return `${connectionId}~${id}`
}

/** The record of an account that a text names; null when it names none. */
export function parseRowKey(text: string | null): { connectionId: ConnectionId; id: string } | null {
  const at = text?.indexOf('~') ?? -1
  if (text === null || at < 1 || at === text.length - 1) return null
  const connectionId = parseConnectionId(text.slice(0, at))
  return connectionId === null ? null : { connectionId, id: text.slice(at + 1) }
}

export function writePage(page: number): Pair[] {
  return page === 1 ? [] : [['page', String(page)]]
}

export function writeBeside(beside: Beside | null): Pair[] {
  return beside === null ? [] : [[beside.side, beside.row === null ? '' : writeRowKey(beside.row)]]
}

/** `-` before the key means descending; the list's own order is not written. */
export function writeSort<Key extends string>({ key, descending }: Sort<Key>, own: Sort<Key>): Pair[] {
  return key === own.key && descending === own.descending ? [] : [['sort', `${descending ? '-' : ''}${key}`]]
}

/** A comma needs no escape in a query, and `by=trip,cost_center` is easier to read. */
export function writePairs(pairs: Pair[] | URLSearchParams): string {
  return new URLSearchParams(pairs).toString().replaceAll('%2C', ',')
}

type Wanted<Key extends string> = {
  page?: number | undefined
  beside?: Beside | null | undefined
  /** The wanted order, and the list's own. */
  sort?: [wanted: Sort<Key>, own: Sort<Key>] | undefined
}

/** The same query, in another order or at another place; what is not said is at its default. */
export function withPlace<Key extends string>(search: string, { page = 1, beside = null, sort }: Wanted<Key>): string {
  const params = new URLSearchParams(search)
  for (const name of PLACE_PARAMETERS) params.delete(name)
  if (sort !== undefined) params.delete('sort')
  const pairs = [...(sort === undefined ? [] : writeSort(...sort)), ...writePage(page), ...writeBeside(beside)]
  for (const [name, value] of pairs) params.set(name, value)
  return writePairs(params)
}
