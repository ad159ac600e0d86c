/** A column of ORDER BY, written by this project, never by a request. */
export type SortColumn = {
  sql: string
  isNullable: boolean
  /** Ascending also in a descending order: a currency, within which amounts are compared. */
  isAlwaysUp?: true
}

/** A total order's columns: no two rows agree in all of them. Unknown values come last. */
export type SortKey = readonly (SortColumn & { isDown: boolean })[]

/** The columns in the requested direction, then the tie-breakers, which are never null. */
export function toSortKey(
  columns: readonly SortColumn[],
  descending: boolean,
  tieBreakers: readonly string[],
): SortKey {
  return [
    ...columns.map((column) => ({ ...column, isDown: descending && !column.isAlwaysUp })),
    ...tieBreakers.map((sql) => ({ sql, isNullable: false, isDown: false })),
  ]
}

/**
 * ORDER BY, also from the last row to the first. Columns that are never null get no NULLS clause,
 * so their index can give the order.
 */
export function writeOrder(key: SortKey, { isReversed = false } = {}): string {
  const nulls = isReversed ? ' nulls first' : ' nulls last'
  return key
    .map(({ sql, isNullable, isDown }) => `${sql} ${isDown === isReversed ? 'asc' : 'desc'}${isNullable ? nulls : ''}`)
    .join(', ')
}

/**
 * A total ORDER BY: the columns in the requested direction, unknown values last in both, then the
 * tie-breakers as they are written.
 */
export function toOrder(columns: readonly SortColumn[], descending: boolean, tieBreakers: readonly string[]): string {
  return [writeOrder(toSortKey(columns, descending, [])), ...tieBreakers].join(', ')
}

/**
 * SQL: whether a row stands on this side of another one in the order. The first column is compared
 * alone, too, so that an index on it finds where to begin.
 * @param toValue SQL for the other row's value of a column, by its place in the key.
 */
export function toSide(key: SortKey, side: 'after' | 'before', toValue: (at: number) => string, at = 0): string {
  const column = key[at]
  if (column === undefined) return 'false'
  const { sql, isNullable, isDown } = column
  const value = toValue(at)
  const sign = (side === 'after') === isDown ? '<' : '>'
  const rest = toSide(key, side, toValue, at + 1)
  if (!isNullable) return `(${sql} ${sign}= ${value} and (${sql} ${sign} ${value} or ${rest}))`
  const isLast =
    side === 'after' ? `${sql} is null and ${value} is not null` : `${sql} is not null and ${value} is null`
  return `(${sql} ${sign} ${value} or (${isLast}) or (${sql} is not distinct from ${value} and ${rest}))`
}
