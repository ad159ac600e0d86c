import type { RowData } from '@tanstack/react-table'
import type { ChosenColumn } from '#lib/ledger/query/list-columns.ts'
import { decimalSign } from '#lib/reconcile/format.ts'
import { toColumnState } from './columns/column-state.ts'
import type { Columns } from './table-features.ts'

/** Where a spreadsheet would start a formula (lib/export/csv.ts has the same for files). */
const FORMULA_START = /^[\s\p{Cc}\p{Cf}]*[=+@\uff1d\uff0b\uff0d\uff20-]/u

/**
 * Rows as a spreadsheet takes them from the clipboard: the shown columns with their names,
 * separated by tabs. Figures have every digit, no groups, and the person's own decimal sign, days
 * are as they are stored: a spreadsheet of that person's country reads both. A text that would
 * start a formula begins with an apostrophe.
 */
export function toTabText<Row extends RowData>(
  columns: Columns<Row>,
  chosen: readonly ChosenColumn[],
  rows: readonly Row[],
  decimal: string = decimalSign(),
): string {
  const { columnOrder, columnPinning } = toColumnState(columns, chosen)
  const shown = [...new Set([...columnPinning.start, ...columnOrder])].flatMap(
    (name) => columns.find(({ id, meta }) => id === name && meta?.isFixed !== true) ?? [],
  )
  const head = shown.map(({ header, id }) => (typeof header === 'string' ? header : (id ?? '')))
  const body = rows.map((row) => shown.map((column) => toCell(column, row, decimal)))
  return [head, ...body].map((cells) => `${cells.join('\t')}\n`).join('')
}

function toCell<Row extends RowData>(column: Columns<Row>[number], row: Row, decimal: string): string {
  const value = readValue(column, row)
  if (value === null || value === undefined) return ''
  const text = String(value).replaceAll(/[\t\r\n]+/g, ' ')
  if (column.meta?.kind === 'figure') return text.replace('.', decimal)
  return column.meta?.kind !== 'day' && FORMULA_START.test(text) ? `'${text}` : text
}

function readValue<Row extends RowData>(column: Columns<Row>[number], row: Row): unknown {
  if ('accessorFn' in column) return column.accessorFn(row, 0)
  return 'accessorKey' in column ? row[column.accessorKey as keyof Row] : undefined
}
