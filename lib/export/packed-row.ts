/**
 * Rows of a file that the database hands over as one text each: reading forty values one by one
 * costs several times as much. What a cell looks like is the business of `csv.ts` alone.
 */
import type { PackedRow, PackedRowSql } from '#lib/ledger/read/export-lines.ts'
import { type CsvColumn, type CsvWriter, toHeader, toTextCell } from './csv.ts'

export type RowPacker = {
  sql: PackedRowSql
  /** Writes the same bytes as `createCsvWriter` of the cells. */
  writer: CsvWriter<PackedRow>
}

/** Nobody types it. Where a text has one all the same, the database hands over the cells. */
const BETWEEN_CELLS = '\u001f'
const SQL_BETWEEN_CELLS = `chr(${BETWEEN_CELLS.charCodeAt(0)})`

/** Packs rows of these columns; `texts` has an SQL expression for each field. */
export function createRowPacker<Row>(columns: readonly CsvColumn<Row>[], texts: Record<string, string>): RowPacker {
  // this program writes the others: they have nothing to guard or to quote
  const textsAt = columns.flatMap(({ kind }, at) => (kind === 'text' ? [at] : []))
  const cells = columns.map(({ kind, field }) => {
    const text = texts[field]
    if (text === undefined) throw new Error(`There is no SQL for the column ${field}.`)
    return { text, isText: kind === 'text' }
  })
  const foreign = cells.filter(({ isText }) => isText).map(({ text }) => text)
  // concat_ws() would leave out null, which is an empty cell
  const all = cells.map(({ text }) => `coalesce((${text})::text, '')`)
  return {
    sql: {
      line: `case when strpos(concat(${foreign.join(', ')}), ${SQL_BETWEEN_CELLS}) > 0
             then null else concat_ws(${[SQL_BETWEEN_CELLS, ...all].join(', ')}) end`,
      cells: `array[${cells.map(({ text }) => `(${text})::text`).join(', ')}]`,
    },
    writer: {
      header: toHeader(columns),
      toText: ({ line, cells }) => {
        const row = line?.split(BETWEEN_CELLS) ?? [...(cells ?? [])]
        for (const at of textsAt) {
          const text = row[at]
          if (text) row[at] = toTextCell(text)
        }
        return `${row.join(',')}\r\n`
      },
    },
  }
}
