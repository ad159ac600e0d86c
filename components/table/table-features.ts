import {
  type Column,
  type ColumnDef,
  columnOrderingFeature,
  columnPinningFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  metaHelper,
  type RowData,
  rowSelectionFeature,
  tableFeatures,
} from '@tanstack/react-table'
import type { Sight } from './list-rows.client.tsx'
import type { InSight } from './window/drawn-rows.ts'

export type ColumnMeta = {
  /** A key of the list's allow-list. */
  sortKey?: string
  /**
   * A figure stands at the right and is never cut, neither are a day, a short code and words of
   * ours. Of an id the
   * beginning is cut: what tells ids apart is their end. Any other text is cut at its end.
   */
  kind?: 'figure' | 'day' | 'code' | 'id' | 'words'
  /** Whether only a screen reader needs the column's name. */
  isNameHidden?: true
  /** Shown only where an address asks for it. */
  isFurther?: true
  /** Always the first, and in no address. */
  isFixed?: true
}

export type TableMeta = {
  /** Decimals that the amount columns make room for. */
  amountRoom: number
  /** Selects a row or takes it back; with `isRange` all rows from the last one on. */
  pick: (key: string, isRange: boolean) => void
  /** The rows in sight, as far as they are there, and who tells when others are. */
  sight: Sight
  keysInSight: (sight: InSight | null) => string[]
}

/** The server sorts and pages; columns and selection are the table's. */
export const FEATURES = tableFeatures({
  columnOrderingFeature,
  columnPinningFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  rowSelectionFeature,
  columnMeta: metaHelper<ColumnMeta>(),
  tableMeta: metaHelper<TableMeta>(),
})
export type Features = typeof FEATURES

/** Each has its id: the name that addresses, styles and stories know the column by. */
export type Columns<Row extends RowData> = ColumnDef<Features, Row>[]
export type ListColumn<Row extends RowData> = Column<Features, Row>
