import { FlexRender, type Row, type RowData } from '@tanstack/react-table'
import { memo, type ReactNode } from 'react'
import { classNames } from '#components/class-names.ts'
import { GRID } from '#components/primitives/grid-roles.ts'
import type { Features } from './table-features.ts'

type RowCellsProps<Data extends RowData> = {
  row: Row<Features, Data>
  /** What the cells read besides their row: they are drawn again when it changes. */
  isSelected: boolean
  amountRoom: number
}

function Cells<Data extends RowData>({ row }: RowCellsProps<Data>): ReactNode {
  return row.getAllCells().map((cell) => {
    const { cell: look, align } = cell.column.columnDef.meta ?? {}
    return (
      <td key={cell.id} {...GRID.cell} className={classNames(look, align === 'end' && 'of-figures')}>
        <FlexRender cell={cell} />
      </td>
    )
  })
}

/** A row's cells. Going to another row draws none of them again. */
export const RowCells = memo(Cells) as typeof Cells
