import { parse as parseWithNumberTexts } from 'lossless-json'
import { JsonError } from './json-error.ts'
import { brokenAt, MAX_JSON_DEPTH, skipSpace, skipValue, tooDeep } from './scan.ts'
import { type JsonValue, NumberText } from './value.ts'

/**
 * A number that a JavaScript number might change: a fraction, an exponent, -0, 16 digits or more.
 */
const DELICATE_NUMBER = /(?:^|[:,[\s])(?:-0|-?\d+[.eE]|-?\d{16})/

/**
 * Parses JSON without losing a digit: numbers become NumberText. The last of repeated keys wins, as
 * in JSON.parse and PostgreSQL (assumption 32); a `__proto__` key is an ordinary member.
 * @throws JsonError on anything but JSON, and on nesting deeper than MAX_JSON_DEPTH.
 */
export function parseLossless(text: string): JsonValue {
  // Take the fast way only if it provably loses nothing; in doubt the test chooses the slow one.
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

/** Turns the numbers of a parsed value into texts, in place. */
function keepNumbers(value: unknown, depth: number): JsonValue {
  if (typeof value === 'number') return new NumberText(String(value))
  if (typeof value !== 'object' || value === null) return value as JsonValue
  if (depth === MAX_JSON_DEPTH) throw tooDeep()
  const members = value as Record<string, unknown>
  for (const key in members) {
    const member = members[key]
    // Safe for `__proto__` too: the parser made it an own member.
    if (typeof member === 'number') members[key] = new NumberText(String(member))
    else if (typeof member === 'object' && member !== null) keepNumbers(member, depth + 1)
  }
  return members as JsonValue
}
