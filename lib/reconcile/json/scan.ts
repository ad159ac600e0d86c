import { JsonError } from './json-error.ts'

/** How deep a body may be nested. The interface needs seven levels; a deeper body is an attack. */
export const MAX_JSON_DEPTH = 64

/** Where an object's member or an array's element is in the text; an element's `key` is ''. */
export type JsonSpan = { key: string; start: number; end: number }

const QUOTE = 34
const COMMA = 44
const COLON = 58
const BACKSLASH = 92

/** The spans of the members of the object at `start`, in order. @throws JsonError */
export function listMembers(text: string, start: number): { spans: JsonSpan[]; end: number } {
  return listSpans(text, start, true)
}

/** The spans of the elements of the array at `start`, in order. @throws JsonError */
export function listElements(text: string, start: number): { spans: JsonSpan[]; end: number } {
  return listSpans(text, start, false)
}

function listSpans(text: string, start: number, isObject: boolean): { spans: JsonSpan[]; end: number } {
  const closing = isObject ? 125 : 93
  const spans: JsonSpan[] = []
  let at = skipSpace(text, start + 1)
  if (text.charCodeAt(at) === closing) return { spans, end: at + 1 }
  for (;;) {
    let key = ''
    if (isObject) {
      const keyEnd = skipString(text, at)
      key = readKey(text, at, keyEnd)
      at = skipSpace(text, keyEnd)
      if (text.charCodeAt(at) !== COLON) throw brokenAt(text, at)
      at = skipSpace(text, at + 1)
    }
    const end = skipValue(text, at)
    spans.push({ key, start: at, end })
    at = skipSpace(text, end)
    const code = text.charCodeAt(at)
    if (code === closing) return { spans, end: at + 1 }
    if (code !== COMMA) throw brokenAt(text, at)
    at = skipSpace(text, at + 1)
  }
}

/** The index of the first character at or after `at` that is not JSON white space. */
export function skipSpace(text: string, at: number): number {
  for (;;) {
    const code = text.charCodeAt(at)
    if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return at
    at++
  }
}

/**
 * The index after the value at `start`. Strings must be closed and brackets balanced, which detects
 * a body cut off anywhere; the parser checks the inside. Linear, without recursion.
 */
export function skipValue(text: string, start: number): number {
  const first = text.charCodeAt(start)
  if (first === QUOTE) return skipString(text, start)
  if (first !== 123 && first !== 91) return skipScalar(text, start)
  // The closing brackets still due, to catch `[}` too.
  const expected: number[] = []
  let at = start
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      at = skipString(text, at)
      continue
    }
    if (code === 123 || code === 91) {
      if (expected.length === MAX_JSON_DEPTH) throw tooDeep()
      expected.push(code + 2)
    } else if (code === 125 || code === 93) {
      if (expected.pop() !== code) throw brokenAt(text, at)
      if (expected.length === 0) return at + 1
    }
    at++
  }
  throw brokenAt(text, text.length)
}

/** The index after a number, true, false or null; the parser checks the word itself. */
function skipScalar(text: string, start: number): number {
  let at = start
  while (at < text.length && !isDelimiter(text.charCodeAt(at))) at++
  if (at === start) throw brokenAt(text, start)
  return at
}

function isDelimiter(code: number): boolean {
  return code === COMMA || code === 125 || code === 93 || code <= 32 || code === COLON || code === QUOTE
}

function skipString(text: string, start: number): number {
  if (text.charCodeAt(start) !== QUOTE) throw brokenAt(text, start)
  let at = start
  for (;;) {
    at = text.indexOf('"', at + 1)
    if (at < 0) throw brokenAt(text, text.length)
    let backslashes = 0
    while (text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes++
    // An even run of backslashes escapes itself, not the quote.
    if (backslashes % 2 === 0) return at + 1
  }
}

/** The key as the parser would read it: an escaped spelling names the same member. */
function readKey(text: string, start: number, end: number): string {
  const inner = text.slice(start + 1, end - 1)
  if (!inner.includes('\\')) return inner
  try {
    return JSON.parse(text.slice(start, end)) as string
  } catch (cause) {
    throw new JsonError(`JSON has a broken key at character ${start}`, { cause })
  }
}

/** An error that names the place, and distinguishes a body cut off from a broken one. */
export function brokenAt(text: string, at: number): JsonError {
  const isCutOff = at >= text.length
  return new JsonError(
    isCutOff ? `JSON is cut off after ${text.length} characters` : `JSON is broken at character ${at}`,
  )
}

export function tooDeep(): JsonError {
  return new JsonError(`JSON is nested deeper than ${MAX_JSON_DEPTH} levels`)
}
