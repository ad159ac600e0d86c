/**
 * Rows of a file that the database writes as one text each: reading forty values one by one costs
 * several times as much. The rules for a cell stay in `csv.ts`: where one might apply that SQL does
 * not know, the database hands over the cells instead.
 */
import type { PackedRow, PackedRowSql } from '#lib/ledger/read/export-lines.ts'
import { type CsvColumn, type CsvWriter, toHeader, toRow } from './csv.ts'

type Fields = Record<string, string | null>

/** `isProse`: most of its texts need quotes. */
export type PackedColumn<Row> = CsvColumn<Row> & { isProse?: true }

export type RowPacker = {
  sql: PackedRowSql
  /** Writes the same bytes as `createCsvWriter` of the cells. */
  writer: CsvWriter<PackedRow>
}

/** What `toCell` quotes for. */
const SEPARATOR = `'[",;\\t\\r\\n]' collate "C"`
/** A row that begins like that cannot be a formula (`guardFormula`). */
const NO_PLAIN_START = `'[^0-9A-Za-z]' collate "C"`

/**
 * Packs rows of these columns; `texts` has an SQL expression for each field. A row goes to the
 * program as cells when one of its texts begins with anything but an ASCII letter or digit, as a
 * formula would, or when a text that is no prose needs quotes.
 */
export function createRowPacker<Row>(columns: readonly PackedColumn<Row>[], texts: Record<string, string>): RowPacker {
  const cells = columns.map(({ kind, field, isProse = false }) => {
    const text = texts[field]
    if (text === undefined) throw new Error(`There is no SQL for the column ${field}.`)
    return { text, isText: kind === 'text', isProse }
  })
  const guarded = cells.filter(({ isText }) => isText)
  const beginnings = guarded.map(({ text }) => `left(${text}, 1)`)
  const names = guarded.filter(({ isProse }) => !isProse).map(({ text }) => text)
  // concat() takes null, which is an empty cell, for nothing
  const written = cells.map(({ text, isProse }) => (isProse ? toQuoted(text) : text))
  const ofCells = columns.map((column, at) => ({ ...column, field: String(at) })) as unknown as CsvColumn<Fields>[]
  return {
    sql: {
      line: `case when concat(${beginnings.join(', ')}) ~ ${NO_PLAIN_START} or concat(${names.join(', ')}) ~ ${SEPARATOR}
             then null else concat(${written.join(`, ',', `)}) end`,
      cells: `array[${cells.map(({ text }) => `(${text})::text`).join(', ')}]`,
    },
    writer: {
      header: toHeader(columns),
      toText: ({ line, cells }) => (line === null ? toRow(ofCells, { ...cells } as Fields) : `${line}\r\n`),
    },
  }
}

function toQuoted(text: string): string {
  return `case when ${text} ~ ${SEPARATOR} then '"' || replace(${text}, '"', '""') || '"' else ${text} end`
}
