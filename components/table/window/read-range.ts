import { type RowKey, writeRowKey } from '#lib/ledger/query/list-place.ts'
import { type Ask, chooseMissing } from './missing-rows.ts'

type Range<Row> = {
  /** The places of the first row wanted and of the one after the last. */
  from: number
  to: number
  /** Of the whole list. */
  count: number
  pageSize: number
  /** A row that is there already. */
  rowAt: (at: number) => Row | undefined
  toKey: (row: Row) => RowKey
  /** Null when it failed. */
  read: (ask: Ask) => Promise<Row[] | null>
}

/**
 * All rows from one place of a list to another, asked for where they are not there. Null when an
 * answer does not come, or when the list is not what it was.
 */
export async function readRange<Row>({ rowAt, toKey, read, ...range }: Range<Row>): Promise<Row[] | null> {
  const found = new Map<number, Row>()
  const findAt = (at: number) => found.get(at) ?? rowAt(at)
  const keyAt = (at: number) => {
    const row = findAt(at)
    return row === undefined ? null : toKey(row)
  }
  const { from, count, pageSize } = range
  const wanted = { first: from, last: Math.min(range.to, count), count, pageSize, keyAt }
  for (let ask = chooseMissing(wanted); ask !== null; ask = chooseMissing(wanted)) {
    const answer = await read(ask)
    if (answer === null || answer.length !== ask.count) return null
    for (const [offset, row] of answer.entries()) found.set(ask.at + offset, row)
  }
  const rows = Array.from({ length: wanted.last - from }, (_, offset) => findAt(from + offset)).filter(
    (row) => row !== undefined,
  )
  // a row that is there twice has moved meanwhile
  return new Set(rows.map((row) => writeRowKey(toKey(row)))).size === rows.length ? rows : null
}
