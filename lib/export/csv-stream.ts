import { OperationalError } from '#lib/errors.ts'
import type { BatchCursor } from '#lib/ledger/sql/tenant-cursor.ts'
import type { CsvWriter } from './csv.ts'

/** How slowly a file may be taken: each byte taken buys waiting time, saved up to a maximum. */
export const PACE_LIMITS = { bytesPerSecond: 32_768, savedMs: 60_000 }

/** How a file ended, and what its reader took of it: rows without the header, bytes with it. */
export type FileEnd = { outcome: 'complete' | 'broken off'; rows: number; bytes: number }

type StreamOptions = {
  limits?: typeof PACE_LIMITS
  /** Called once, however the file ends; a whole file ends for its reader when it resolves. */
  onEnd?: (end: FileEnd) => Promise<void>
}

/**
 * A CSV file in UTF-8, made while it is read: one batch of rows per pull, so memory does not grow
 * with the file, and a slow reader slows the database down. A reader that leaves closes the cursor.
 * One that takes nothing for a minute, or less than 32 kB a second over some minutes, loses the
 * file. A failure fails the stream: the download visibly breaks off rather than being silently too
 * short.
 */
export function toCsvStream<Batch extends { length: number }>(
  cursor: BatchCursor<Batch>,
  { header, toBytes, countRows }: CsvWriter<Batch>,
  { limits = PACE_LIMITS, onEnd }: StreamOptions = {},
): ReadableStream<Uint8Array> {
  let head: Uint8Array | null = header === '' ? null : new TextEncoder().encode(header)
  let coming: Promise<Batch> | null = null
  let pace: Pace
  const taken = { rows: 0, bytes: 0 }
  let isEnded = false
  const end = async (outcome: FileEnd['outcome']) => {
    const isFirst = !isEnded
    isEnded = true
    if (isFirst) await onEnd?.({ outcome, ...taken })
  }

  /** While the reader takes one batch, the database makes the next: never more than one. */
  function takeBatch(): Promise<Batch> {
    const batch = coming ?? cursor.next()
    coming = batch.then((rows) => (rows.length === 0 ? rows : cursor.next()))
    coming.catch(() => undefined) // told by the next call
    return batch
  }

  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const fail = (reason: unknown) => {
          pace.stop()
          controller.error(reason)
          void end('broken off')
          void cursor.close()
        }
        pace = keepPace(limits, () => fail(new OperationalError('export-too-slow', 'a file is taken too slowly')))
        cursor.lost.addEventListener('abort', () => fail(cursor.lost.reason), { once: true })
        if (cursor.lost.aborted) fail(cursor.lost.reason)
        else pace.waitForReader(0)
      },
      async pull(controller) {
        pace.stop()
        try {
          // at once, however long the first rows take
          const rows = head === null ? await takeBatch() : null
          const bytes = head ?? toBytes(rows as Batch)
          head = null
          if (bytes.length > 0) {
            controller.enqueue(bytes)
            taken.bytes += bytes.length
            taken.rows += rows === null ? 0 : countRows(rows)
            return pace.waitForReader(bytes.length)
          }
          await cursor.close()
          await end('complete')
          controller.close()
        } catch (error) {
          await cursor.close()
          controller.error(error)
          await end('broken off')
        }
      },
      cancel: async () => {
        pace.stop()
        await cursor.close()
        await end('broken off')
      },
    },
    // nothing is read ahead before the reader begins: an unread response costs nothing
    { highWaterMark: 0 },
  )
}

type Pace = {
  /** The reader's turn, after it was given this many bytes. */
  waitForReader: (bytes: number) => void
  /** Not the reader's turn: it asked for more, or has left. */
  stop: () => void
}

/**
 * Calls `onTooSlow` when the reader has used up its waiting time. The database's time does not
 * count.
 */
function keepPace({ bytesPerSecond, savedMs }: typeof PACE_LIMITS, onTooSlow: () => void): Pace {
  let leftMs = savedMs
  let waiting: { timer: NodeJS.Timeout; since: number } | null = null
  return {
    waitForReader: (bytes) => {
      leftMs = Math.min(savedMs, leftMs + (bytes / bytesPerSecond) * 1000)
      waiting = { timer: setTimeout(onTooSlow, leftMs), since: performance.now() }
    },
    stop: () => {
      if (waiting === null) return
      clearTimeout(waiting.timer)
      leftMs -= performance.now() - waiting.since
      waiting = null
    },
  }
}
