'use client'

import type { RowData, Row as TableRow } from '@tanstack/react-table'
import { flexRender } from '@tanstack/react-table/flex-render'
import { type CSSProperties, memo, type ReactNode } from 'react'
import { ListRow } from './list-frame.client.tsx'
import type { Features, ListColumn } from './table-features.ts'

type DrawnRowProps<Row extends RowData> = {
  row: TableRow<Features, Row>
  /** The columns: another object where they changed. */
  layout: object
  /** In the whole list, where the column names are the first. */
  rowIndex: number
  isSelected: boolean | undefined
  /** Its panel is beside the list. */
  isOpen: boolean
  rowClass: string
  /** What the cells read besides their row and its selection. */
  amountRoom: number
}

/**
 * Drawn again only when something of its own changes: neither when another row becomes current nor
 * when other rows come. The table package makes a new row for the same record then.
 */
export const DrawnRow = memo(
  function DrawnRow<Row extends RowData>({ row, ...props }: DrawnRowProps<Row>) {
    return (
      <ListRow
        aria-rowindex={props.rowIndex}
        aria-selected={props.isSelected}
        aria-current={props.isOpen || undefined}
        tabIndex={-1}
        isMarked={props.isOpen || props.isSelected}
        className={props.rowClass}
      >
        {row.getVisibleCells().map((cell) => (
          <td
            key={cell.column.id}
            data-name={toDataName(cell.column)}
            className={toCellClass(cell.column)}
            style={toPlace(cell.column)}
          >
            {flexRender(cell.column.columnDef.cell, cell.getContext())}
          </td>
        ))}
      </ListRow>
    )
  },
  ({ row, ...before }, { row: next, ...now }) =>
    row.original === next.original &&
    Object.entries(now).every(([name, value]) => before[name as keyof typeof before] === value),
) as <Row extends RowData>(props: DrawnRowProps<Row>) => ReactNode

/** The name that styles and stories know a column's cells by, and what is in them. */
export function toCellClass<Row extends RowData>(column: ListColumn<Row>): string {
  const { kind } = column.columnDef.meta ?? {}
  const words = [`col-${column.id}`]
  if (kind !== undefined) words.push(kind)
  if (column.getIsPinned()) words.push('is-pinned')
  return words.join(' ')
}

/** On a phone, which has no column names, a column that only some lists have says its own. */
function toDataName<Row extends RowData>({ columnDef: { header, meta } }: ListColumn<Row>): string | undefined {
  return meta?.isFurther && typeof header === 'string' ? header : undefined
}

/** Where a cell of a pinned column stays. */
export function toPlace<Row extends RowData>(column: ListColumn<Row>): CSSProperties | undefined {
  return column.getIsPinned() ? { left: column.getStart('start') } : undefined
}

/** Room for the rows that are not drawn. On paper there is none: it has the drawn ones. */
export function Spacer({ height }: { height: number }) {
  if (height === 0) return null
  return (
    <tbody aria-hidden className="print:hidden">
      <tr style={{ height }}>
        <td />
      </tr>
    </tbody>
  )
}

/** A row that is on its way. */
export function WaitingRow({ rowIndex, columnCount }: { rowIndex: number; columnCount: number }) {
  return (
    <ListRow aria-rowindex={rowIndex} aria-busy tabIndex={-1}>
      <td colSpan={columnCount}>
        <span className="skeleton w-56" />
        <span className="sr-only">Loading</span>
      </td>
    </ListRow>
  )
}
