import type { z } from 'zod'
import { parseLossless } from '#lib/reconcile/json/parse.ts'
import { isJsonObject, type JsonObject, type JsonValue, NumberText } from '#lib/reconcile/json/value.ts'
import type { Rejection } from '#lib/reconcile/records.ts'
import { countUnreadable, UNREADABLE } from './wire-values.ts'

/** The outcome for a text that is not a readable record. */
export type Rejected = { ok: false } & Rejection

/**
 * A record's own object, its typed fields, and the paths of optional fields that cannot be read.
 */
export type ReadRecord<Wire> = { ok: true; value: JsonObject; wire: Wire; unreadablePaths: string[] }

/** A path and its keys: `metadata.vendor` is `metadata`, then `vendor`. */
type ObjectPath = { path: string; keys: readonly string[] }

export function toObjectPath(path: string): ObjectPath {
  return { path, keys: path.split('.') }
}

/**
 * Reads one record's source text through its schema. Never throws: the outcome is the record or a
 * rejection in words. `objectPaths` names the optional members that must be objects; another shape
 * makes them unreadable.
 */
export function readRecord<Wire>(
  raw: string,
  schema: z.ZodType<Wire>,
  keyField: string,
  objectPaths: readonly ObjectPath[],
): ReadRecord<Wire> | Rejected {
  let value: JsonValue
  try {
    value = parseLossless(raw)
  } catch (thrown) {
    return reject(raw, thrown instanceof Error ? thrown.message : 'JSON cannot be parsed', '', null)
  }
  if (!isJsonObject(value)) return reject(raw, 'The record is not a JSON object', '', null)
  const key = value[keyField]
  const id = typeof key === 'string' ? toStorable(key) : key instanceof NumberText ? key.numberText : null
  const badPath = maybeUnstorable(raw) ? findUnstorable(value, '') : null
  if (badPath !== null) return reject(raw, `${badPath} holds a character that cannot be stored`, badPath, id)

  const unreadableBefore = countUnreadable()
  const result = schema.safeParse(value)
  if (!result.success) {
    const issue = result.error.issues[0]
    const path = issue?.path.join('.') ?? ''
    return reject(raw, `${path} ${issue?.message ?? 'cannot be read'}`, path, id)
  }
  const unreadablePaths = objectPaths
    .filter(({ keys }) => isNeitherObjectNorAbsent(keys, value))
    .map(({ path }) => path)
  if (countUnreadable() > unreadableBefore) settle(result.data, '', unreadablePaths)
  return { ok: true, value, wire: result.data, unreadablePaths }
}

/** A rejection in words, every part of which can be stored. */
export function reject(raw: string, reason: string, path: string, id: string | null): Rejected {
  return { ok: false, raw: toStorable(raw), recordId: id, reason: toStorable(reason), path: toStorable(path) }
}

/**
 * Whether PostgreSQL's text may be unable to hold it: NUL or lone surrogates, plain or escaped. May
 * say yes too often.
 */
function maybeUnstorable(raw: string): boolean {
  return raw.includes('\\u') || raw.includes('\0') || !raw.isWellFormed()
}

const UNSTORABLE = /[\0\p{Surrogate}]/u

function findUnstorable(value: JsonValue, path: string): string | null {
  if (typeof value === 'string') return UNSTORABLE.test(value) ? path : null
  if (typeof value !== 'object' || value === null || value instanceof NumberText) return null
  for (const [key, member] of Object.entries(value)) {
    const memberPath = path === '' ? key : `${path}.${key}`
    const found = UNSTORABLE.test(key) ? memberPath : findUnstorable(member, memberPath)
    if (found !== null) return found
  }
  return null
}

/**
 * The text with NUL and lone surrogates as JSON escapes: storing a rejection must not fail its
 * page.
 */
export function toStorable(text: string): string {
  if (text.isWellFormed() && !text.includes('\0')) return text
  return text.replace(
    /[\0\p{Surrogate}]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

function isNeitherObjectNorAbsent(keys: readonly string[], value: JsonObject): boolean {
  let member: JsonValue | undefined = value
  for (const key of keys) {
    if (!isJsonObject(member)) return false
    member = member[key]
  }
  return member !== undefined && member !== null && member !== '' && !isJsonObject(member)
}

/** Replaces unreadable values with null, leaves them out of lists, and notes their paths. */
function settle(data: unknown, prefix: string, unreadablePaths: string[]): void {
  if (typeof data !== 'object' || data === null) return
  const fields = data as Record<string, unknown>
  for (const key of Object.keys(fields)) {
    const path = prefix + key
    const field = fields[key]
    if (field === UNREADABLE) {
      unreadablePaths.push(path)
      fields[key] = null
    } else if (Array.isArray(field) && field.includes(UNREADABLE)) {
      unreadablePaths.push(path)
      fields[key] = field.filter((entry) => entry !== UNREADABLE)
    } else settle(field, `${path}.`, unreadablePaths)
  }
}
