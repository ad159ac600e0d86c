/** Types of ids: the id of one kind of record is not accepted where another's is expected. */

declare const kind: unique symbol

/** Accepts plain text; an id of another kind does not compile. */
type Id<Kind extends string> = string & { readonly [kind]?: Kind }

export type OrganizationId = Id<'organization'>
export type UserId = Id<'user'>
export type RunId = Id<'run'>

/**
 * Stricter: refuses plain text too. Outside text becomes one only by `parseConnectionId`, so no
 * other text reaches SQL.
 */
export type ConnectionId = string & { readonly [kind]: 'connection' }

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Whether a text is a uuid as the database writes it, in lower case: each id has one spelling.
 * Comparing anything else with a uuid column is a database error, not "not found".
 */
export function isUuid(text: string): boolean {
  return UUID.test(text)
}

/** The id, or null for text no connection can have as its id: wrong shape, a NUL, any length. */
export function parseConnectionId(text: string): ConnectionId | null {
  return isUuid(text) ? (text as ConnectionId) : null
}
