/**
 * Rows of a file from the bytes that the database sent, without a text for each value: that took
 * six times as long. What a cell looks like is the business of `csv.ts` alone.
 */
import type { RawRows } from '#lib/db/raw-rows.ts'
import { type CsvColumn, type CsvWriter, needsCare, toHeader, toTextCell } from './csv.ts'

/** A row's message before its values: kind, length, number of values. */
const ROW_HEAD_BYTES = 7
const [COMMA, QUOTE, CARRIAGE_RETURN, LINE_FEED] = [44, 34, 13, 10] as const

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
  return { header: toHeader(columns), toBytes: (rows) => writeRows(rows, isText) }
}

function writeRows(rows: RawRows, isText: Uint8Array): Uint8Array {
  // a value's length takes four bytes, and so do guard, quotes and comma: doubled quotes fit too
  const out = Buffer.allocUnsafeSlow(rows.length * 2)
  let to = 0
  for (let at = 0; at < rows.length; ) {
    at += ROW_HEAD_BYTES
    for (let column = 0; column < isText.length; column++) {
      const length = rows.readInt32BE(at)
      at += 4
      if (length > 0) {
        to = isText[column] === 1 ? writeText(rows, at, at + length, out, to) : copy(rows, at, at + length, out, to)
        at += length
      }
      out[to++] = COMMA
    }
    out[to - 1] = CARRIAGE_RETURN
    out[to++] = LINE_FEED
  }
  return out.subarray(0, to)
}

// byte by byte: cells are short, and a call of `Buffer` costs more than most of them

/** Returns where the next cell goes. */
function copy(from: Buffer, start: number, end: number, out: Buffer, to: number): number {
  for (let at = start; at < end; at++) out[to++] = from[at] as number
  return to
}

function writeText(from: Buffer, start: number, end: number, out: Buffer, to: number): number {
  if (ODD_START[from[start] as number] === 1) return to + out.write(toTextCell(from.toString('utf8', start, end)), to)
  let needsQuotes = 0
  let after = to
  for (let at = start; at < end; at++) {
    const byte = from[at] as number
    needsQuotes |= SEPARATES[byte] as number
    out[after++] = byte
  }
  return needsQuotes === 0 ? after : writeQuoted(from, start, end, out, to)
}

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
