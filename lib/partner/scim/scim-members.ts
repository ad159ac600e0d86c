/** Reads members of SCIM JSON: names ignore case (RFC 7643, 2.1), and types are not relied on. */

import { toCanonicalText } from '#lib/reconcile/json/canonical-text.ts'
import { isJsonObject, type JsonObject, type JsonValue, NumberText } from '#lib/reconcile/json/value.ts'

/** A member by its name in any case, the exact spelling first. Null if missing. */
export function readMember(object: JsonObject, name: string): JsonValue {
  if (Object.hasOwn(object, name)) return object[name] ?? null
  const wanted = name.toLowerCase()
  for (const key of Object.keys(object)) if (key.toLowerCase() === wanted) return object[key] ?? null
  return null
}

/** A scalar as text, as written; null if missing, empty or not a scalar. */
export function readText(object: JsonObject, name: string): string | null {
  return toText(readMember(object, name))
}

/** True or false, also written as text in any case; null for anything else. */
export function readFlag(object: JsonObject, name: string): boolean | null {
  return toFlag(readMember(object, name))
}

export function toFlag(value: JsonValue): boolean | null {
  if (typeof value === 'boolean') return value
  const text = typeof value === 'string' ? value.trim().toLowerCase() : ''
  return text === 'true' ? true : text === 'false' ? false : null
}

/** A list's elements; a single value is a list of one, a missing one an empty list. */
export function readList(object: JsonObject, name: string): JsonValue[] {
  const value = readMember(object, name)
  return Array.isArray(value) ? value : value === null ? [] : [value]
}

/** The scalars of a list, as text. */
export function readTexts(object: JsonObject, name: string): string[] {
  return readList(object, name).flatMap((value) => toText(value) ?? [])
}

export function readObjects(object: JsonObject, name: string): JsonObject[] {
  return readList(object, name).filter(isJsonObject)
}

function toText(value: JsonValue): string | null {
  if (typeof value === 'string') return value.trim() === '' ? null : value
  if (value instanceof NumberText) return value.numberText
  return typeof value === 'boolean' ? String(value) : null
}

/** Any value for people: text bare, everything else as JSON with sorted keys. */
export function describeValue(value: JsonValue): string {
  return typeof value === 'string' ? value : toCanonicalText(value)
}
