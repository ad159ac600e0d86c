const FIRST_BYTES = 64 * 1024
/** The most UTF-8 bytes per unit of a JavaScript string. */
const MOST_BYTES_PER_UNIT = 3

/**
 * Where rows are written: `reserve` makes `most` bytes free from `used` on; the writer moves it.
 */
export type Room = {
  used: number
  reserve: (most: number) => Buffer
  /** What was written, in bytes of its own; the room is empty again. */
  take: () => Buffer
}

/** One room serves for many batches: its bytes are kept, and grow as needed. */
export function createRoom(): Room {
  let bytes = Buffer.allocUnsafeSlow(FIRST_BYTES)
  const room: Room = {
    used: 0,
    reserve: (most) => {
      if (most > bytes.length - room.used) {
        const larger = Buffer.allocUnsafeSlow(Math.max(2 * bytes.length, room.used + most))
        bytes.copy(larger, 0, 0, room.used)
        bytes = larger
      }
      return bytes
    },
    take: () => {
      // not from Node's pool: the bytes may move to another thread
      const taken = Buffer.allocUnsafeSlow(room.used)
      bytes.copy(taken, 0, 0, room.used)
      room.used = 0
      if (bytes.length > 64 * FIRST_BYTES) bytes = Buffer.allocUnsafeSlow(FIRST_BYTES)
      return taken
    },
  }
  return room
}

/** The most bytes of a text in UTF-8. */
export function mostBytes(text: string): number {
  return text.length * MOST_BYTES_PER_UNIT
}
