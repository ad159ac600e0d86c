const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Whether a text is a uuid as the database writes it, in lower case: each id has one spelling.
 * Anything else compared with a uuid column is an error of the database, and not "not found".
 */
export function isUuid(text: string): boolean {
  return UUID.test(text)
}
