/**
 * Rows of a list that somebody has selected, wherever they are. With `isAll` it is all rows of the
 * list but these.
 */
export type Selection<Row> = { isAll: boolean; rows: ReadonlyMap<string, Row> }

export const NOTHING_SELECTED: Selection<never> = { isAll: false, rows: new Map<string, never>() }

export function isSelected<Row>({ isAll, rows }: Selection<Row>, key: string): boolean {
  return rows.has(key) !== isAll
}

/** These rows selected besides, or no longer. */
export function select<Row>(
  { isAll, rows }: Selection<Row>,
  some: Iterable<[key: string, row: Row]>,
  isWanted: boolean,
): Selection<Row> {
  const next = new Map(rows)
  for (const [key, row] of some) {
    if (isWanted !== isAll) next.set(key, row)
    else next.delete(key)
  }
  return { isAll, rows: next }
}

/** How many rows are selected in a list of so many. */
export function countSelected<Row>({ isAll, rows }: Selection<Row>, rowCount: number): number {
  return isAll ? rowCount - rows.size : rows.size
}
