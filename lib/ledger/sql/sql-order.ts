/** A column of ORDER BY, written by this project, never by a request. */
export type SortColumn = { sql: string; isNullable: boolean }

/**
 * A total ORDER BY: the columns in the requested direction, unknown values last in both, then the
 * tie-breakers. Columns that are never null get no NULLS clause, so their index can give the order.
 */
export function toOrder(columns: readonly SortColumn[], descending: boolean, tieBreakers: readonly string[]): string {
  const direction = descending ? 'desc' : 'asc'
  const sorted = columns.map(({ sql, isNullable }) => `${sql} ${direction}${isNullable ? ' nulls last' : ''}`)
  return [...sorted, ...tieBreakers].join(', ')
}
