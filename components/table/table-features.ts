import { type ColumnDef, metaHelper, type RowData, tableFeatures } from '@tanstack/react-table'

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
  /** Of the row that is drawn. */
  isSelected: boolean
  toggle: (key: string) => void
}

const features = tableFeatures({
  columnMeta: metaHelper<ColumnMeta>(),
  tableMeta: metaHelper<TableMeta>(),
})
/** Types alone: the server sorts and pages, and the list knows its selection. */
export type Features = typeof features

export type Columns<Row extends RowData> = ColumnDef<Features, Row>[]
