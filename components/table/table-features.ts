import { metaHelper, rowSelectionFeature, rowSortingFeature, tableFeatures } from '@tanstack/react-table'

export type ColumnMeta = {
  /** A key of the list's allow-list; `toColumnMeta` sees to it. */
  sortKey?: string
  align?: 'end'
  /**
   * Classes of the column's cells: their width, from which width of the table on they show, their
   * place on a phone.
   */
  cell?: string
}

export type TableMeta = {
  /** Decimals that the column of amounts leaves room for. */
  amountRoom: number
}

/** Sorting and paging happen on the server (manual mode): the table only knows what is the case. */
export const features = tableFeatures({
  rowSortingFeature,
  rowSelectionFeature,
  columnMeta: metaHelper<ColumnMeta>(),
  tableMeta: metaHelper<TableMeta>(),
})
export type Features = typeof features
