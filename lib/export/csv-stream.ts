import type { RowCursor } from '../ledger/tenant-cursor.ts'
import { type CsvColumn, toHeader, toRow } from './csv.ts'

/**
 * A CSV file in UTF-8 that is made as it is read: one batch of rows per pull, so that memory does not grow with the file and
 * a slow reader slows the database down. A reader that goes away closes the cursor. A failure on the way is a failure of
 * the stream: the download breaks off visibly and is never a file that is silently too short.
 */
export function toCsvStream<Row>(
  cursor: RowCursor<Row>,
  columns: readonly CsvColumn<Row>[],
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let head = toHeader(columns)
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const rows = await cursor.next()
          let text = head
          head = ''
          for (const row of rows) text += toRow(columns, row)
          if (text !== '') controller.enqueue(encoder.encode(text))
          if (rows.length > 0) return
          await cursor.close()
          controller.close()
        } catch (error) {
          await cursor.close()
          controller.error(error)
        }
      },
      cancel: () => cursor.close(),
    },
    // nothing is read ahead: a response that nobody reads costs nothing
    { highWaterMark: 0 },
  )
}
