/** Ids that cannot be swapped: one kind of record's is not taken where another's is asked for. */

declare const kind: unique symbol

/** A text of unknown kind is taken; an id of another kind does not compile. */
type Id<Kind extends string> = string & { readonly [kind]?: Kind }

export type OrganizationId = Id<'organization'>
export type UserId = Id<'user'>
export type RunId = Id<'run'>

/**
 * Stricter: no plain text is taken either. What comes from outside becomes one by
 * `parseConnectionId` only, so nothing else reaches SQL.
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

/**
 * The id, or null for a text that no connection can have: of another shape, with a NUL, of any
 * length.
 */
export function parseConnectionId(text: string): ConnectionId | null {
  return isUuid(text) ? (text as ConnectionId) : null
}
