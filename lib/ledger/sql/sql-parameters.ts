import { isUuid } from '#lib/ids.ts'

/**
 * The values of one SQL statement. Every value that comes from outside goes through here; SQL text
 * never holds one.
 */
export type SqlParameters = {
  /** Adds a value and gives its place in the text: `$1`, `$2`, ... */
  add: (value: unknown) => string
  readonly values: unknown[]
}

/** An empty list of parameters. */
export function createSqlParameters(): SqlParameters {
  const values: unknown[] = []
  return { values, add: (value) => `$${values.push(value)}` }
}

/**
 * An ILIKE pattern that finds the text itself anywhere; its `%`, `_` and `\` stand for themselves.
 */
export function toContainsPattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`
}

/**
 * `column` is one of the texts; an empty text stands for null. No condition (null) when the list is
 * empty.
 */
export function toAnyOf(column: string, values: readonly string[], parameters: SqlParameters): string | null {
  if (values.length === 0) return null
  const known = values.filter((value) => value !== '')
  const isNull = `${column} is null`
  if (known.length === 0) return isNull
  const isOneOf = `${column} = any(${parameters.add(known)}::text[])`
  return known.length === values.length ? isOneOf : `(${isOneOf} or ${isNull})`
}

/**
 * `column` is one of the connections. What is no connection's id finds nothing, rather than
 * everything.
 */
export function toConnectionCondition(
  column: string,
  connections: readonly string[],
  parameters: SqlParameters,
): string | null {
  return connections.length === 0 ? null : `${column} = any(${parameters.add(connections.filter(isUuid))}::uuid[])`
}

/** The conditions joined by `and`; those that are null do not count. */
export function joinConditions(conditions: readonly (string | null)[]): string {
  return conditions.filter((condition) => condition !== null).join(' and ')
}
