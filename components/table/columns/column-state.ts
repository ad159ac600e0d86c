import type {
  ColumnOrderState,
  ColumnPinningState,
  ColumnSizingState,
  ColumnVisibilityState,
  RowData,
} from '@tanstack/react-table'
import type { Columns } from '#components/table/table-features.ts'
import type { ChosenColumn, Density } from '#lib/ledger/query/list-columns.ts'

export type ColumnsChoice = {
  /** Those that the address asks for; none: the list's own. */
  chosen: readonly ChosenColumn[]
  density: Density
}

/** What the table package keeps of columns. */
export type ColumnState = {
  columnOrder: ColumnOrderState
  columnVisibility: ColumnVisibilityState
  columnPinning: ColumnPinningState
  columnSizing: ColumnSizingState
}

/** The state of a table whose address asks for these columns; none: the list's own. */
export function toColumnState<Row extends RowData>(
  columns: Columns<Row>,
  chosen: readonly ChosenColumn[],
): ColumnState {
  const asked = chosen.map(({ name }) => name)
  const pinned = chosen.flatMap(({ name, isPinned }) => (isPinned ? [name] : []))
  const first = listNames(columns, ({ meta, enableHiding }) => meta?.isFixed === true || enableHiding === false)
  const shown =
    asked.length === 0
      ? listNames(columns, ({ meta }) => meta?.isFurther !== true)
      : [...first.filter((name) => !asked.includes(name)), ...asked]
  return {
    columnOrder: shown,
    columnVisibility: Object.fromEntries(listNames(columns, () => true).map((name) => [name, shown.includes(name)])),
    columnPinning: {
      start: pinned.length === 0 ? [] : [...first.filter((name) => !pinned.includes(name)), ...pinned],
      end: [],
    },
    columnSizing: Object.fromEntries(chosen.flatMap(({ name, width }) => (width === null ? [] : [[name, width]]))),
  }
}

/** The columns as an address says them; none where they are the list's own. */
export function toChosenColumns<Row extends RowData>(columns: Columns<Row>, state: ColumnState): ChosenColumn[] {
  const { columnOrder, columnVisibility, columnPinning, columnSizing } = state
  const fixed = listNames(columns, ({ meta }) => meta?.isFixed === true)
  // what was not there before comes last
  const ordered = [...new Set([...columnPinning.start, ...columnOrder, ...listNames(columns, () => true)])]
  const chosen = ordered
    .filter((name) => columnVisibility[name] === true && !fixed.includes(name))
    .map((name) => ({
      name,
      isPinned: columnPinning.start.includes(name),
      width: columnSizing[name] ?? null,
    }))
  const own = listNames(columns, ({ meta }) => meta?.isFurther !== true && meta?.isFixed !== true)
  const isOwn =
    chosen.every(({ isPinned, width }) => !isPinned && width === null) &&
    chosen.map(({ name }) => name).join() === own.join()
  return isOwn ? [] : chosen
}

function listNames<Row extends RowData>(
  columns: Columns<Row>,
  isWanted: (column: Columns<Row>[number]) => boolean,
): string[] {
  return columns.filter(isWanted).map(({ id }) => id ?? '')
}
