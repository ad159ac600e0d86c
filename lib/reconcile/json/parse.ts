import { parse as parseWithNumberTexts } from 'lossless-json'
import { JsonError } from './json-error.ts'
import { brokenAt, MAX_JSON_DEPTH, skipSpace, skipValue, tooDeep } from './scan.ts'
import { type JsonValue, NumberText } from './value.ts'

/**
 * A number that a JavaScript number might change: a fraction, an exponent, -0, 16 digits or more.
 */
const DELICATE_NUMBER = /(?:^|[:,[\s])(?:-0|-?\d+[.eE]|-?\d{16})/

const QUOTE = 34
const COMMA = 44
const CLOSING_BRACE = 125

/**
 * Parses JSON without losing a digit: numbers become NumberText. The last of repeated keys wins, as
 * in JSON.parse and PostgreSQL (assumption 32); a `__proto__` key is an ordinary member.
 * @throws JsonError on anything but JSON, and on nesting deeper than MAX_JSON_DEPTH.
 */
export function parseLossless(text: string): JsonValue {
  try {
    const numbers: FoundNumber[] = []
    const value = keepNumbers(JSON.parse(text), 0, numbers)
    if (isWrittenPlainly(text, numbers)) return value
    // The slow parser recurses: a depth bomb must not reach it.
    skipValue(text, skipSpace(text, 0))
    return parseWithNumberTexts(text, null, {
      parseNumber: (digits) => new NumberText(digits),
      onDuplicateKey: ({ newValue }) => newValue,
    }) as JsonValue
  } catch (thrown) {
    throw thrown instanceof JsonError ? thrown : toJsonError(text)
  }
}

/** The value of a text; null if it is not JSON. */
export function parseOrNull(text: string): JsonValue {
  try {
    return parseLossless(text)
  } catch (thrown) {
    if (thrown instanceof JsonError) return null
    throw thrown
  }
}

/** Says where a text stops being JSON without quoting it: it may hold a secret. */
function toJsonError(text: string): JsonError {
  try {
    const end = skipSpace(text, skipValue(text, skipSpace(text, 0)))
    return end < text.length ? brokenAt(text, end) : new JsonError('JSON is broken inside a value')
  } catch (thrown) {
    if (thrown instanceof JsonError) return thrown
    throw thrown
  }
}

/** A number of a parsed value: its member's name, null elsewhere, and the text it has become. */
type FoundNumber = { key: string | null; digits: string }

/** Turns the numbers of a parsed value into texts, in place, and notes them. */
function keepNumbers(value: unknown, depth: number, found: FoundNumber[]): JsonValue {
  if (typeof value === 'number') return keepNumber(value, null, found)
  if (typeof value !== 'object' || value === null) return value as JsonValue
  if (depth === MAX_JSON_DEPTH) throw tooDeep()
  const members = value as Record<string, unknown>
  for (const key in members) {
    const member = members[key]
    // Safe for `__proto__` too: the parser made it an own member.
    if (typeof member === 'number') members[key] = keepNumber(member, Array.isArray(value) ? null : key, found)
    else if (typeof member === 'object' && member !== null) keepNumbers(member, depth + 1, found)
  }
  return members as JsonValue
}

function keepNumber(value: number, key: string | null, found: FoundNumber[]): NumberText {
  const digits = String(value)
  found.push({ key, digits })
  return new NumberText(digits)
}

/** Looking up more than this takes longer than to look through the text. */
const MOST_LOOKED_UP = 4

/**
 * Whether the numbers found provably stand in the text as they were turned into texts; in doubt
 * not. A few members are looked up; otherwise no number may be one that JavaScript might change.
 */
function isWrittenPlainly(text: string, numbers: readonly FoundNumber[]): boolean {
  if (numbers.length === 0) return true
  if (numbers.length <= MOST_LOOKED_UP && !text.includes('\\') && numbers.every((number) => isWrittenAs(text, number)))
    return true
  return !DELICATE_NUMBER.test(text)
}

/**
 * Whether a text without escapes has one member of this name, and it is written with these digits.
 */
function isWrittenAs(text: string, { key, digits }: FoundNumber): boolean {
  if (key === null) return false
  const rest = `${key}"`
  const at = text.indexOf(rest)
  // without escapes each quote begins or ends a text: this name stands here and nowhere else
  if (text.charCodeAt(at - 1) !== QUOTE || text.includes(rest, at + 1)) return false
  const colon = at + rest.length
  const after = text.charCodeAt(colon + 1 + digits.length)
  return text.startsWith(`:${digits}`, colon) && (after === COMMA || after === CLOSING_BRACE)
}
