import { writeBinaryRow } from './copy-binary.ts'
import { toFieldWriter } from './copy-text.ts'
import { createRoom, mostBytes } from './row-bytes.ts'
import { MARK_ROOM } from './row-mark.ts'

/** One column: its PostgreSQL type, and its value from a record. */
export type StagedColumn<Item> = { name: string; type: string; value: (item: Item) => unknown }

export type Stage<Item> = {
  /** A name chosen in this program: letters and underscores. */
  table: string
  columns: readonly StagedColumn<Item>[]
  /** For long texts: each column is one, and none is null. */
  isBinary?: true
  /** Each row carries a `RowMark` too. */
  isMarked?: true
}

/** Records as COPY takes them, one after the other: the one at `n` ends before byte `ends[n]`. */
export type StagedRows = { bytes: Buffer; ends: number[] }

/** Formats records one by one; `end` takes what was formatted, and begins anew. */
export type RowWriter<Item> = { add: (item: Item) => void; end: () => StagedRows }

export function createRowWriter<Item>({ columns, isBinary, isMarked }: Stage<Item>): RowWriter<Item> {
  const room = createRoom()
  const fields = isBinary ? [] : columns.map(({ type, value }) => ({ value, write: toFieldWriter(type) }))
  let ends: number[] = []
  const writeText = (item: Item) => {
    let row = ''
    for (const { value, write } of fields) row += `${write(value(item))}\t`
    row = `${row.slice(0, -1)}${isMarked ? MARK_ROOM : '\n'}`
    room.used += room.reserve(mostBytes(row)).write(row, room.used)
  }
  return {
    add: (item) => {
      if (isBinary)
        writeBinaryRow(
          room,
          columns.map(({ value }) => value(item) as string),
        )
      else writeText(item)
      ends.push(room.used)
    },
    end: () => {
      const rows = { bytes: room.take(), ends }
      ends = []
      return rows
    },
  }
}

/** Rows of several batches, in the order they were added, without copying them. */
export function createRowList(): { add: (rows: StagedRows, at: number) => void; end: () => Buffer[] } {
  const chunks: Buffer[] = []
  let run: { rows: StagedRows; from: number; to: number } | null = null
  const cut = () => {
    if (run !== null && run.to > run.from) chunks.push(run.rows.bytes.subarray(run.from, run.to))
  }
  return {
    add: (rows, at) => {
      const [from, to] = [rows.ends[at - 1] ?? 0, rows.ends[at] as number]
      if (run?.rows === rows && run.to === from) {
        run.to = to
        return
      }
      cut()
      run = { rows, from, to }
    },
    end: () => {
      cut()
      return chunks
    },
  }
}
