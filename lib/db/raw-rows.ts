/**
 * Rows as PostgreSQL sends them. The driver makes a text of every value: for a file of a million
 * rows that costs more than making the rows, and the file wants bytes again.
 */
import type { Duplex } from 'node:stream'
import type pg from 'pg'

/**
 * Rows as the protocol's DataRow messages, one after another: a byte `D`, the length of what
 * follows and of itself (int32), the number of values (int16); then for each value its length
 * (int32, -1 for null) and its text in UTF-8.
 */
export type RawRows = Buffer

export type RawReader = {
  /** At most `count` more rows of a cursor of the connection's transaction; none at its end. */
  read: (cursor: string, count: number) => Promise<RawRows>
  /**
   * Leaves the connection to the driver again. Call it before the connection is given back. A read
   * that is not over rejects, so its rows are never taken for all there were.
   */
  end: () => void
}

const DATA_ROW = 'D'.charCodeAt(0)
/** A message's kind and its length. */
const HEAD_BYTES = 5

/**
 * Reads rows past the driver, as pg-copy-streams does: of what the database sends, rows are kept
 * here, and every other message is the driver's.
 */
export function readRawRows(client: pg.ClientBase): RawReader {
  let tap: Tap | null = null
  let isEnded = false
  const read = (cursor: string, count: number) =>
    new Promise<RawRows>((resolve, reject) => {
      const query = {
        submit: (connection: pg.Connection) => {
          tap ??= tapRows(connection.stream)
          tap.begin()
          connection.stream.cork()
          // a cursor is a portal by the same name; SQL's FETCH would store the rows once more
          connection.execute({ portal: cursor, rows: String(count) }, true)
          connection.sync()
          connection.stream.uncork()
        },
        handleReadyForQuery: () => {
          if (tap === null || isEnded) reject(new Error('The rows were left before they had arrived.'))
          else resolve(tap.take())
        },
        handleError: (error: Error) => {
          tap?.take()
          reject(error)
        },
        handleDataRow: ignore, // after the end
        handlePortalSuspended: ignore,
        handleCommandComplete: ignore,
      }
      client.query(query)
    })
  const end = () => {
    isEnded = true
    tap?.end()
  }
  return { read, end }
}

function ignore(): void {}

type Tap = {
  /** From now on rows are kept. */
  begin: () => void
  /** The rows since then; the next ones are the driver's. */
  take: () => RawRows
  end: () => void
}

/** Takes the rows out of what arrives, and hands the rest to the driver, in whole messages. */
function tapRows(stream: Duplex): Tap {
  const [driver, ...others] = stream.listeners('data') as ((bytes: Buffer) => void)[]
  if (driver === undefined || others.length > 0) throw new Error('The driver reads otherwise than it is known to.')
  let rows: Buffer[] = []
  let isReading = false
  // a message that has not arrived whole, and how much of it must be there to go on
  let held: Buffer[] = []
  let heldBytes = 0
  let needed = 0

  const hold = (bytes: Buffer) => {
    held = bytes.length > 0 ? [bytes] : []
    heldBytes = bytes.length
  }
  const take = (chunk: Buffer) => {
    held.push(chunk)
    heldBytes += chunk.length
    if (heldBytes < needed) return
    const bytes = held.length === 1 ? chunk : Buffer.concat(held, heldBytes)
    let from = 0
    let at = 0
    needed = HEAD_BYTES
    while (at + HEAD_BYTES <= bytes.length) {
      const next = at + 1 + bytes.readUInt32BE(at + 1)
      if (next > bytes.length) {
        needed = next - at
        break
      }
      if (!isReading || bytes[at] !== DATA_ROW) {
        // first what came before it: the driver may now ask for the rows
        if (at > from) rows.push(bytes.subarray(from, at))
        from = next
        driver(bytes.subarray(at, next))
      }
      at = next
    }
    if (at > from) rows.push(bytes.subarray(from, at))
    hold(bytes.subarray(at))
  }

  stream.removeListener('data', driver)
  stream.on('data', take)
  return {
    begin: () => {
      isReading = true
    },
    take: () => {
      const taken = rows
      rows = []
      isReading = false
      return Buffer.concat(taken)
    },
    end: () => {
      stream.removeListener('data', take)
      stream.on('data', driver)
      if (heldBytes > 0) driver(Buffer.concat(held))
      hold(Buffer.alloc(0))
    },
  }
}
