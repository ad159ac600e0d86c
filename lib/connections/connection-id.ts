import { isUuid } from '#lib/db/uuid.ts'

declare const brand: unique symbol

/**
 * The id of a connection. What comes from outside becomes one by `parseConnectionId` only, so that
 * no other text reaches SQL.
 */
export type ConnectionId = string & { readonly [brand]: 'ConnectionId' }

/**
 * The id, or null for a text that no connection can have: of another shape, with a NUL, of any
 * length.
 */
export function parseConnectionId(text: string): ConnectionId | null {
  return isUuid(text) ? (text as ConnectionId) : null
}
