import { parse as parseWithNumberTexts } from 'lossless-json'
import { hashText } from '../hash-text.ts'
import { brokenAt, listElements, listMembers, MAX_JSON_DEPTH, skipSpace, skipValue, tooDeep } from './json-scan.ts'
import { PartnerBodyError } from './partner-error.ts'

/** A JSON number as it is written, digit for digit: a JavaScript number would lose 9007199254740993 and 20.10. */
export class NumberText {
  readonly numberText: string
  constructor(numberText: string) {
    this.numberText = numberText
  }
}

export type JsonValue = null | boolean | string | NumberText | JsonValue[] | { [key: string]: JsonValue }

export type JsonObject = { [key: string]: JsonValue }

/** A number that a JavaScript number might not give back as written: a fraction, an exponent, -0, 16 digits or more. */
const DELICATE_NUMBER = /(?:^|[:,[\s])(?:-0|-?\d+[.eE]|-?\d{16})/

/**
 * Parses JSON without losing a digit: numbers come back as NumberText. Of repeated keys the last one holds (as in
 * JSON.parse and PostgreSQL); a `__proto__` key is an ordinary member. Throws PartnerBodyError on anything else than JSON
 * and on nesting deeper than MAX_JSON_DEPTH.
 */
export function parseLossless(text: string): JsonValue {
  // The quick way is taken only where it provably loses nothing; the test errs on the side of the slow one.
  const isDelicate = DELICATE_NUMBER.test(text)
  try {
    if (!isDelicate) return keepNumbers(JSON.parse(text), 0)
    // The slow parser recurses: a depth bomb must not reach it.
    skipValue(text, skipSpace(text, 0))
    return parseWithNumberTexts(text, null, {
      parseNumber: (digits) => new NumberText(digits),
      onDuplicateKey: ({ newValue }) => newValue,
    }) as JsonValue
  } catch (thrown) {
    throw thrown instanceof PartnerBodyError ? thrown : toBodyError(text)
  }
}

/** Says where a text stops being JSON without quoting from it: it may hold what no message should. */
function toBodyError(text: string): PartnerBodyError {
  try {
    const end = skipSpace(text, skipValue(text, skipSpace(text, 0)))
    return end < text.length ? brokenAt(text, end) : new PartnerBodyError('JSON is broken inside a value')
  } catch (thrown) {
    if (thrown instanceof PartnerBodyError) return thrown
    throw thrown
  }
}

/** Turns the numbers of a parsed value into texts, in place. */
function keepNumbers(value: unknown, depth: number): JsonValue {
  if (typeof value === 'number') return new NumberText(String(value))
  if (typeof value !== 'object' || value === null) return value as JsonValue
  if (depth === MAX_JSON_DEPTH) throw tooDeep()
  const members = value as Record<string, unknown>
  for (const key in members) {
    const member = members[key]
    // Safe for `__proto__` too: the parser has made it a member of the object's own.
    if (typeof member === 'number') members[key] = new NumberText(String(member))
    else if (typeof member === 'object' && member !== null) keepNumbers(member, depth + 1)
  }
  return members as JsonValue
}

/** What `sliceRecords` gives back: the members around the list, and each element's source text, byte for byte. */
export type SlicedBody = { envelope: Record<string, JsonValue>; records: string[] }

/**
 * Cuts the list `listKey` of a body into the source texts of its elements without parsing them, so that one bad record
 * cannot spoil its neighbors. Throws PartnerBodyError when the body is truncated, is no JSON object, or has no such list.
 */
export function sliceRecords(text: string, listKey: string): SlicedBody {
  const start = skipSpace(text, 0)
  if (text.charCodeAt(start) !== 123) {
    throw start >= text.length ? brokenAt(text, start) : new PartnerBodyError('The body is not a JSON object')
  }
  const { spans, end } = listMembers(text, start)
  const rest = skipSpace(text, end)
  if (rest < text.length) throw brokenAt(text, rest)
  const lists = spans.filter((span) => span.key === listKey)
  const [list] = lists
  if (!list || lists.length > 1 || text.charCodeAt(list.start) !== 91) {
    throw new PartnerBodyError(`The body has ${lists.length > 1 ? 'more than one' : 'no'} list "${listKey}"`)
  }
  const records = listElements(text, list.start).spans.map((span) => text.slice(span.start, span.end))
  const members = spans.filter((span) => span !== list)
  const envelope = Object.fromEntries(
    members.map((span) => [span.key, parseLossless(text.slice(span.start, span.end))]),
  )
  return { envelope, records }
}

/** Whether a parsed value is an object (and neither a list nor a number). */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof NumberText)
}

/** One text for one content: keys sorted, no white space, numbers as written. Concatenation, as every line pays for it. */
export function toCanonicalText(value: JsonValue): string {
  if (typeof value === 'string') return quote(value)
  if (value instanceof NumberText) return value.numberText
  if (typeof value !== 'object' || value === null) return String(value)
  let text = ''
  if (Array.isArray(value)) {
    for (const element of value) text += (text === '' ? '' : ',') + toCanonicalText(element)
    return `[${text}]`
  }
  for (const key of Object.keys(value).sort()) {
    text += `${text === '' ? '' : ','}${quote(key)}:${toCanonicalText(value[key] ?? null)}`
  }
  return `{${text}}`
}

/** Most texts hold nothing to escape. */
function quote(text: string): string {
  return /["\\\p{Cc}\p{Surrogate}]/u.test(text) ? JSON.stringify(text) : `"${text}"`
}

/** Whether two JSON texts say the same: keys in any order, any white space, numbers as written. Throws PartnerBodyError. */
export function isSameContent(a: string, b: string): boolean {
  return a === b || toCanonicalText(parseLossless(a)) === toCanonicalText(parseLossless(b))
}

/** The sha256 of a value's canonical text, in hex. */
export function hashContent(value: JsonValue): string {
  return hashText(toCanonicalText(value))
}
