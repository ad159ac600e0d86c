import { metaHelper, rowSelectionFeature, rowSortingFeature, tableFeatures } from '@tanstack/react-table'

export type ColumnMeta = {
  /** A key of the list's allow-list. */
  sortKey?: string
  align?: 'end'
  /**
   * Classes of the column's cells: width, the table width from which they show, place on a phone.
   */
  cell?: string
}

export type TableMeta = {
  /** Decimals that the amount column makes room for. */
  amountRoom: number
}

/** The server sorts and pages (manual mode); the table only shows the state. */
export const features = tableFeatures({
  rowSortingFeature,
  rowSelectionFeature,
  columnMeta: metaHelper<ColumnMeta>(),
  tableMeta: metaHelper<TableMeta>(),
})
export type Features = typeof features
