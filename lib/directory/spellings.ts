/** Small things that directories spell in more than one way. Pure. */

export type Json = Record<string, unknown>

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * A boolean as JSON has it. Entra ID sends "True" and "False" (scimmyjs/scimmy #51, #86), others 0
 * and 1; Entra's older job puts a value into a list. What is no boolean stays, to be refused.
 */
export function toBoolean(value: unknown): unknown {
  const single = unwrap(value)
  const word = String(single).trim().toLowerCase()
  if (word === 'true' || word === '1') return true
  if (word === 'false' || word === '0') return false
  return single
}

/** `[{"$ref": null, "value": "x"}]` where one value is meant (MicrosoftDocs/azure-docs #42220). */
export function unwrap(value: unknown): unknown {
  if (!Array.isArray(value) || value.length !== 1) return value
  const [only] = value
  return isObject(only) && 'value' in only ? only.value : only
}

/** A value, several, or none, as a list. */
export function toList(value: unknown): unknown[] {
  if (value === undefined || value === null) return []
  return Array.isArray(value) ? value : [value]
}

/** The member of an object whose name differs at most in its case (RFC 7643, 2.1). */
export function readMember(object: Json, name: string): unknown {
  const key = Object.keys(object).find((each) => each.toLowerCase() === name.toLowerCase())
  return key === undefined ? undefined : object[key]
}
