/** The text format of PostgreSQL's COPY (documentation of COPY, "Text Format"): one row per line, columns set apart by tabs. */

const NEEDS_ESCAPE = /[\\\t\n\r]/
const ESCAPES: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }
const ARRAY_NEEDS_QUOTES = /^$|^null$|[\s"\\{},]/i

/**
 * One row of COPY's text. Texts, booleans, numbers and lists of texts are written as the column's type reads them; null and
 * undefined are NULL. The row ends with a line break.
 */
export function toCopyRow(values: readonly unknown[]): string {
  let row = ''
  for (let at = 0; at < values.length; at++) row += (at === 0 ? '' : '\t') + toCopyField(values[at])
  return `${row}\n`
}

const CHUNK_BYTES = 256 * 1024
/** UTF-8 needs at most so many bytes for a unit of a JavaScript string. */
const MOST_BYTES_PER_UNIT = 3

/** Rows as bytes, row by row into large chunks: one long text of many rows would be copied twice more. */
export function createCopyChunks(): { add: (row: string) => void; end: () => Buffer[] } {
  const chunks: Buffer[] = []
  let chunk = Buffer.alloc(0)
  let used = 0
  const cut = () => {
    if (used > 0) chunks.push(chunk.subarray(0, used))
    used = 0
  }
  return {
    add: (row) => {
      const most = row.length * MOST_BYTES_PER_UNIT
      if (most > chunk.length - used) {
        cut()
        chunk = Buffer.allocUnsafe(Math.max(CHUNK_BYTES, most))
      }
      used += chunk.write(row, used)
    },
    end: () => {
      cut()
      return chunks
    },
  }
}

function toCopyField(value: unknown): string {
  if (typeof value === 'string') return escapeText(value)
  if (value === null || value === undefined) return '\\N'
  if (typeof value === 'boolean') return value ? 't' : 'f'
  if (typeof value === 'number') return String(value)
  if (Array.isArray(value)) return value.length === 0 ? '{}' : escapeText(toArrayLiteral(value))
  throw new TypeError(`COPY has no text for a value of type ${typeof value}`)
}

function escapeText(text: string): string {
  return NEEDS_ESCAPE.test(text) ? text.replace(/[\\\t\n\r]/g, (character) => ESCAPES[character] as string) : text
}

/** A list of texts as PostgreSQL's array input reads it. */
export function toArrayLiteral(texts: readonly string[]): string {
  return `{${texts.map((text) => (ARRAY_NEEDS_QUOTES.test(text) ? `"${text.replace(/["\\]/g, '\\$&')}"` : text)).join(',')}}`
}
