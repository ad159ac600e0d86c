/**
 * The binary format of PostgreSQL's COPY (documentation of COPY, "Binary Format"), for rows of
 * texts: nobody looks through a long text for characters to escape, or for its end.
 */
import { mostBytes, type Room } from './row-bytes.ts'

/** The signature, no flags, no extension. */
export const BINARY_HEADER = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1')
/** In place of a row's number of columns: there are no more rows. */
export const BINARY_TRAILER = Buffer.from([0xff, 0xff])
const COUNT_BYTES = 2
const LENGTH_BYTES = 4

/** Writes a row of texts, none of them null. */
export function writeBinaryRow(room: Room, texts: readonly string[]): void {
  let most = COUNT_BYTES
  for (const text of texts) most += LENGTH_BYTES + mostBytes(text)
  const bytes = room.reserve(most)
  let at = bytes.writeInt16BE(texts.length, room.used)
  for (const text of texts) {
    const length = bytes.write(text, at + LENGTH_BYTES)
    at = bytes.writeInt32BE(length, at) + length
  }
  room.used = at
}
