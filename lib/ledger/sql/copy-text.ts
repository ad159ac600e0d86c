/**
 * The text format of PostgreSQL's COPY (documentation of COPY, "Text Format"): one row per line,
 * tabs between columns.
 */

const NEEDS_ESCAPE = /[\\\t\n\r]/
const ESCAPES: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }
const ARRAY_NEEDS_QUOTES = /^$|^null$|[\s"\\{},]/i

/** Types whose text never contains a character that COPY escapes. */
const PLAIN_TYPES = new Set(['integer', 'smallint', 'numeric', 'date'])

/** Writes one column value as COPY takes it. Null and undefined become NULL. */
export type FieldWriter = (value: unknown) => string

/**
 * The writer for a column type: text, text[], boolean, JSON (its text), bytea (hex digits), and the
 * plain types.
 */
export function toFieldWriter(type: string): FieldWriter {
  const write = writerOf(type)
  return (value) => (value === null || value === undefined ? '\\N' : write(value))
}

function writerOf(type: string): FieldWriter {
  if (PLAIN_TYPES.has(type)) return String
  if (type === 'boolean') return (value) => (value ? 't' : 'f')
  if (type === 'bytea') return (value) => `\\\\x${value}`
  if (type === 'text[]') return (value) => escapeText(toArrayLiteral(value as string[]))
  if (type === 'text' || type === 'json') return (value) => escapeText(value as string)
  throw new TypeError(`There is no COPY text for a column of type ${type}`)
}

function escapeText(text: string): string {
  return NEEDS_ESCAPE.test(text) ? text.replace(/[\\\t\n\r]/g, (character) => ESCAPES[character] as string) : text
}

/** A list of texts as PostgreSQL's array input reads it. */
export function toArrayLiteral(texts: readonly string[]): string {
  if (texts.length === 0) return '{}'
  return `{${texts.map((text) => (ARRAY_NEEDS_QUOTES.test(text) ? `"${text.replace(/["\\]/g, '\\$&')}"` : text)).join(',')}}`
}
