import { FlexRender, type Row, type RowData } from '@tanstack/react-table'
import type { Features } from './table-features.ts'

/** A row's cells. Their looks go by their place in the row (app/lists.css). */
export function RowCells<Data extends RowData>({ row }: { row: Row<Features, Data> }) {
  return row.getAllCells().map((cell) => (
    <td key={cell.id}>
      <FlexRender cell={cell} />
    </td>
  ))
}
