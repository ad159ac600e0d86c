import { readAnswer } from '#components/query/read-answer.ts'
import type { Beside, RowKey } from '#lib/ledger/query/list-place.ts'

/** A page of rows to ask for: `count` rows that begin at place `at`. */
export type Ask = { at: number; count: number; page: number; beside: Beside | null }

type Wanted = {
  /** The places of the rows wanted: from the first to before the last. */
  first: number
  last: number
  /** Of the whole list. */
  count: number
  pageSize: number
  /** The row at a place, if it is there. */
  keyAt: (at: number) => RowKey | null
}

/**
 * What to ask for first, so that all wanted rows will be there; null when they are. Rows beside
 * those that are there are asked for by their neighbor, the end of the list from its end: only a
 * jump into the middle goes by number.
 */
export function chooseMissing({ first, last, count, pageSize, keyAt }: Wanted): Ask | null {
  let at = first
  while (at < last && keyAt(at) !== null) at++
  if (at >= last) return null
  const onward = (begin: number) => Math.min(pageSize, count - begin)
  if (at === 0) return { at, count: onward(at), page: 1, beside: null }
  const previous = keyAt(at - 1)
  if (previous !== null) return { at, count: onward(at), page: 1, beside: { side: 'after', row: previous } }
  let end = at
  while (end < last && keyAt(end) === null) end++
  const begin = Math.max(0, end - pageSize)
  const next = end < count ? keyAt(end) : null
  if (begin <= at && (next !== null || end === count))
    return { at: begin, count: end - begin, page: 1, beside: { side: 'before', row: next } }
  const page = Math.floor(at / pageSize) + 1
  const start = (page - 1) * pageSize
  return { at: start, count: onward(start), page, beside: null }
}

/** A page's rows from a route that answers with rows alone; null when it does not. */
export async function readRows<Row>(address: string): Promise<Row[] | null> {
  const answer = await readAnswer<{ rows: Row[] }>(address)
  return answer.status === 'ready' ? answer.value.rows : null
}
