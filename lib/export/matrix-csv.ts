/** The file of a matrix: its columns are known once it has been read. */

import type { MatrixFileRow } from '#lib/ledger/read/matrix/matrix-cursor.ts'
import type { GroupKey } from '#lib/reconcile/group-keys.ts'
import { type CsvKind, type CsvWriter, toCell, toTextCell } from './csv.ts'

type Column = { name: string; kind: CsvKind; toText: (row: MatrixFileRow) => string | null }

const BEFORE: readonly Column[] = [
  { name: 'row', kind: 'code', toText: ({ kind }) => kind },
  { name: 'group', kind: 'text', toText: ({ values }) => values[0] ?? null },
  { name: 'inner_group', kind: 'text', toText: ({ values }) => values[1] ?? null },
  { name: 'name', kind: 'text', toText: ({ label }) => label },
  { name: 'currency', kind: 'code', toText: ({ currency }) => currency },
  { name: 'line_count', kind: 'count', toText: ({ figures }) => (figures === null ? null : String(figures.lineCount)) },
]

const AFTER: readonly Column[] = [
  { name: 'total', kind: 'amount', toText: ({ figures }) => figures?.total ?? null },
  { name: 'share_percent', kind: 'amount', toText: ({ figures }) => figures?.share ?? null },
  { name: 'compared_total', kind: 'amount', toText: ({ figures }) => figures?.compared?.total ?? null },
  { name: 'change', kind: 'amount', toText: ({ figures }) => figures?.compared?.change ?? null },
  { name: 'change_percent', kind: 'amount', toText: ({ figures }) => figures?.compared?.percent ?? null },
]

/** The columns that every matrix has, around those of its own (docs/csv.md). */
export const MATRIX_COLUMNS = [...BEFORE, ...AFTER].map(({ name, kind }) => ({ name, kind }))

/** What a column of lines that do not say is called. */
const UNKNOWN = '(unknown)'

/** Writes the columns' names, which have the key `across` in them, from the first row. */
export function createMatrixWriter(across: GroupKey): CsvWriter<MatrixFileRow[]> {
  const encoder = new TextEncoder()
  const toLine = (row: MatrixFileRow) => {
    if (row.kind === 'head') {
      const own = row.cells.map((name) => toTextCell(`${across} ${name ?? UNKNOWN}`))
      return [...BEFORE.map(({ name }) => name), ...own, ...AFTER.map(({ name }) => name)]
    }
    const write = ({ kind, toText }: Column) => {
      const text = toText(row) ?? ''
      return kind === 'text' ? toTextCell(text) : toCell(text)
    }
    return [...BEFORE.map(write), ...row.cells.map((cell) => cell ?? ''), ...AFTER.map(write)]
  }
  return {
    header: '',
    toBytes: (rows) => encoder.encode(rows.map((row) => `${toLine(row).join(',')}\r\n`).join('')),
    countRows: (rows) => rows.filter(({ kind }) => kind !== 'head').length,
  }
}
