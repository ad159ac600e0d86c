/**
 * Rows of a file from the bytes that the database sent: a text for each value would cost as much as
 * the database's own work. What a cell looks like is the business of `csv.ts` alone.
 */
import type { RawRows } from '#lib/db/raw-rows.ts'
import { type CsvColumn, type CsvWriter, needsCare, toHeader, toTextCell } from './csv.ts'

/** A row's message before its values: kind, length, number of values. */
const ROW_HEAD_BYTES = 7
const LENGTH_BYTES = 4
const COMMA = 44
const QUOTE = 34
const CARRIAGE_RETURN = 13
const LINE_FEED = 10

/** By a text's first byte: whether it may be guarded. No rule is about one byte of several. */
const ODD_START = Uint8Array.from({ length: 256 }, (_, byte) => (isPlain(byte, '') ? 0 : 1))
/** By any other byte: whether it needs quotes. */
const SEPARATES = Uint8Array.from({ length: 256 }, (_, byte) => (byte > 127 || isPlain(byte, 'a') ? 0 : 1))

function isPlain(byte: number, before: string): boolean {
  return byte <= 127 && !needsCare(before + String.fromCharCode(byte))
}

/**
 * Writes raw rows whose values are these columns, in this order: the same bytes as
 * `createCsvWriter` of the values.
 */
export function createRawCsvWriter<Row>(columns: readonly CsvColumn<Row>[]): CsvWriter<RawRows> {
  // this program writes the others: they have nothing to guard or to quote
  const isText = Uint8Array.from(columns, ({ kind }) => (kind === 'text' ? 1 : 0))
  return { header: toHeader(columns), toBytes: (rows) => writeRows(rows, isText), countRows }
}

function countRows(rows: RawRows): number {
  let count = 0
  for (let at = 0; at < rows.length; count++) at += 1 + readLength(rows, at + 1)
  return count
}

/**
 * In one piece, byte by byte: cells are short, and a method of `Buffer` costs more than most of
 * them. The bundler makes a function that is called once anew for each call.
 */
function writeRows(rows: RawRows, isText: Uint8Array): Uint8Array {
  // a value's length takes four bytes, and so do guard, quotes and comma: doubled quotes fit too
  const out = Buffer.allocUnsafeSlow(rows.length * 2)
  let to = 0
  for (let at = 0; at < rows.length; ) {
    at += ROW_HEAD_BYTES
    for (let column = 0; column < isText.length; column++) {
      const length = readLength(rows, at)
      at += LENGTH_BYTES
      const end = at + Math.max(0, length)
      if (isText[column] === 0) {
        while (at < end) out[to++] = rows[at++] as number
      } else if (at < end && ODD_START[rows[at] as number] === 1) {
        to += out.write(toTextCell(rows.toString('utf8', at, end)), to)
        at = end
      } else {
        const start = at
        const cell = to
        let needsQuotes = 0
        while (at < end) {
          const byte = rows[at++] as number
          needsQuotes |= SEPARATES[byte] as number
          out[to++] = byte
        }
        if (needsQuotes !== 0) to = writeQuoted(rows, start, end, out, cell)
      }
      out[to++] = COMMA
    }
    out[to - 1] = CARRIAGE_RETURN
    out[to++] = LINE_FEED
  }
  return out.subarray(0, to)
}

function readLength(from: Buffer, at: number): number {
  const high = ((from[at] as number) << 24) | ((from[at + 1] as number) << 16)
  return high | ((from[at + 2] as number) << 8) | (from[at + 3] as number)
}

/** Returns where the next cell goes. */
function writeQuoted(from: Buffer, start: number, end: number, out: Buffer, to: number): number {
  out[to++] = QUOTE
  for (let at = start; at < end; at++) {
    const byte = from[at] as number
    if (byte === QUOTE) out[to++] = QUOTE
    out[to++] = byte
  }
  out[to++] = QUOTE
  return to
}
