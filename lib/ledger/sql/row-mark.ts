/**
 * What a row of a stage carries besides its record. It is known only when the record's page is:
 * rows are formatted with room for it, and it is written into their bytes.
 */

/**
 * `part`: under which number a record is counted. `isNew`: the ledger probably has no such key, so
 * no look-up is made for it; a wrong guess only costs time.
 */
export type RowMark = { part: number; isNew?: boolean }

export const MARK_COLUMNS = [
  { name: 'part', type: 'integer' },
  { name: 'is_new', type: 'boolean' },
] as const

/** As many digits as the largest integer has. */
const PART_DIGITS = 10
const ZERO = 0x30

/** The end of a row that is to be marked, as COPY takes it. */
export const MARK_ROOM = `\t${'0'.repeat(PART_DIGITS)}\tf\n`

/** Marks the row that ends before `end`. */
export function writeMark(bytes: Buffer, end: number, { part, isNew }: RowMark): void {
  let at = end - '\tf\n'.length - 1
  for (let left = part, digit = 0; digit < PART_DIGITS; digit++) {
    bytes[at] = ZERO + (left % 10)
    left = Math.floor(left / 10)
    at -= 1
  }
  bytes[end - 2] = isNew === true ? 't'.charCodeAt(0) : 'f'.charCodeAt(0)
}
