const CHUNK_BYTES = 256 * 1024
/** The most UTF-8 bytes per unit of a JavaScript string. */
const MOST_BYTES_PER_UNIT = 3

/** Where a row is written: `most` bytes are free from `used` on. */
type Chunk = { bytes: Buffer; used: number }

/**
 * Collects rows in large chunks of bytes: one long text of many rows would be copied twice more.
 * `room` makes room for a row of `most` bytes; the caller writes it and moves `used`.
 */
export function createChunks(): { room: (most: number) => Chunk; end: () => Buffer[] } {
  const chunks: Buffer[] = []
  let chunk: Chunk = { bytes: Buffer.alloc(0), used: 0 }
  const cut = () => {
    if (chunk.used > 0) chunks.push(chunk.bytes.subarray(0, chunk.used))
  }
  return {
    room: (most) => {
      if (most > chunk.bytes.length - chunk.used) {
        cut()
        chunk = { bytes: Buffer.allocUnsafe(Math.max(CHUNK_BYTES, most)), used: 0 }
      }
      return chunk
    },
    end: () => {
      cut()
      return chunks
    },
  }
}

/** The most bytes of a text in UTF-8. */
export function mostBytes(text: string): number {
  return text.length * MOST_BYTES_PER_UNIT
}
