import type { CellContext, RowData } from '@tanstack/react-table'
import { flexRender } from '@tanstack/react-table/flex-render'
import type { Columns, Features, TableMeta } from './table-features.ts'

type RowCellsProps<Row extends RowData> = { row: Row; rowKey: string; columns: Columns<Row>; meta: TableMeta }

/**
 * A row's cells, as the table package draws the cells of its columns. It has no instance of the
 * package's table around it, which is 8 kB of script for sorting, paging and selecting: the server
 * and the list do that. So a cell finds its row, its value and the table's meta, and nothing else.
 * Looks go by a cell's place in the row (app/lists.css).
 */
export function RowCells<Row extends RowData>({ row: original, rowKey, columns, meta }: RowCellsProps<Row>) {
  const shared = { row: { id: rowKey, original }, table: { options: { meta } } }
  return columns.map((column) => {
    const getValue = () => readValue(column, original)
    const context = { ...shared, getValue } as unknown as CellContext<Features, Row, unknown>
    return <td key={column.id ?? column.meta?.cell}>{flexRender(column.cell ?? String(getValue()), context)}</td>
  })
}

function readValue<Row extends RowData>(column: Columns<Row>[number], row: Row): unknown {
  if ('accessorFn' in column) return column.accessorFn(row, 0)
  return 'accessorKey' in column ? row[column.accessorKey as keyof Row] : undefined
}
