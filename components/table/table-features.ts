import { metaHelper, tableFeatures } from '@tanstack/react-table'

export type ColumnMeta = {
  /** A key of the list's allow-list. */
  sortKey?: string
  align?: 'end'
  /** Whether only a screen reader needs the column's name. */
  isNameHidden?: true
  /**
   * Classes of the column's cells: width, the table width from which they show, place on a phone.
   */
  cell?: string
}

export type TableMeta = {
  /** Decimals that the amount column makes room for. */
  amountRoom: number
  isSelected: (key: string) => boolean
  toggle: (key: string) => void
}

/** The server sorts and pages, the list knows its selection: the table only draws the columns. */
export const features = tableFeatures({
  columnMeta: metaHelper<ColumnMeta>(),
  tableMeta: metaHelper<TableMeta>(),
})
export type Features = typeof features
