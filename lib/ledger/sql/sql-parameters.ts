import { isUuid, type OrganizationId } from '#lib/ids.ts'
import { parseDecimal } from '#lib/reconcile/money.ts'

/**
 * The values of one SQL statement. Every outside value goes through here; SQL text never holds one.
 */
export type SqlParameters = {
  /** Adds a value and returns its placeholder: `$1`, `$2`, ... */
  add: (value: unknown) => string
  readonly values: unknown[]
}

/** Adds the organization, where a text asks for it, and returns its placeholder with its type. */
export type OwnPlaceholder = () => string

export function toOwnPlaceholder(organizationId: OrganizationId, parameters: SqlParameters): OwnPlaceholder {
  return () => `${parameters.add(organizationId)}::uuid`
}

export function createSqlParameters(): SqlParameters {
  const values: unknown[] = []
  return { values, add: (value) => `$${values.push(value)}` }
}

/** `column` is one of the texts; an empty text stands for null. Null for an empty list. */
export function toAnyOf(column: string, values: readonly string[], parameters: SqlParameters): string | null {
  if (values.length === 0) return null
  const known = values.filter((value) => value !== '')
  const isNull = `${column} is null`
  if (known.length === 0) return isNull
  const isOneOf = `${column} = any(${parameters.add(known)}::text[])`
  return known.length === values.length ? isOneOf : `(${isOneOf} or ${isNull})`
}

/**
 * `column` is one of the connections; null for an empty list. An invalid id finds nothing, rather
 * than everything.
 */
export function toConnectionCondition(
  column: string,
  connections: readonly string[],
  parameters: SqlParameters,
): string | null {
  return connections.length === 0 ? null : `${column} = any(${parameters.add(connections.filter(isUuid))}::uuid[])`
}

/** `column` is one of these decimals, of any scale; a text that is none finds nothing. */
export function toAnyNumber(column: string, values: readonly string[], parameters: SqlParameters): string | null {
  if (values.length === 0) return null
  return `${column} = any(${parameters.add(values.filter((value) => parseDecimal(value) !== null))}::numeric[])`
}

/** `column` is `true`, `false` or, for an empty text, null; any other text finds nothing. */
export function toAnyBoolean(column: string, values: readonly string[]): string | null {
  if (values.length === 0) return null
  const found = values.flatMap((value) =>
    value === '' ? [`${column} is null`] : value === 'true' || value === 'false' ? [`${column} is ${value}`] : [],
  )
  return `(${found.join(' or ') || 'false'})`
}

/** Joins the conditions with `and`, ignoring null ones. */
export function joinConditions(conditions: readonly (string | null)[]): string {
  return conditions.filter((condition) => condition !== null).join(' and ')
}
