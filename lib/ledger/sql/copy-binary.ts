/**
 * The binary format of PostgreSQL's COPY (documentation of COPY, "Binary Format"), for rows of
 * texts: nobody looks through a long text for characters to escape, or for its end.
 */
import { createChunks, mostBytes } from './copy-chunks.ts'

/** The signature, no flags, no extension. */
const HEADER = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1')
/** In place of a row's number of columns: there are no more rows. */
const TRAILER = Buffer.from([0xff, 0xff])
const COUNT_BYTES = 2
const LENGTH_BYTES = 4

/** Writes rows of texts, none of them null, into large chunks of bytes. */
export function createBinaryRows(): { add: (texts: readonly string[]) => void; end: () => Buffer[] } {
  const chunks = createChunks()
  return {
    add: (texts) => {
      let most = COUNT_BYTES
      for (const text of texts) most += LENGTH_BYTES + mostBytes(text)
      const chunk = chunks.room(most)
      const { bytes } = chunk
      let at = bytes.writeInt16BE(texts.length, chunk.used)
      for (const text of texts) {
        const length = bytes.write(text, at + LENGTH_BYTES)
        at = bytes.writeInt32BE(length, at) + length
      }
      chunk.used = at
    },
    end: () => [HEADER, ...chunks.end(), TRAILER],
  }
}
