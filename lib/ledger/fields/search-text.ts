/**
 * What a search looks through: the words of a line as one text, without case and accents. The line
 * keeps it, so that a million lines are searched byte by byte.
 */
import type { LINE_FIELDS, LineRecord } from '#lib/reconcile/records.ts'
import { STORED_LINE_FIELDS } from './line-fields.ts'

/** The fields that a search looks through. */
const SEARCHED_FIELDS = [
  'description',
  'tripName',
  'tripId',
  'invoiceSerialNumber',
  'vendorName',
  'costCenter',
  'id',
  'travelerNames',
] as const satisfies (keyof typeof LINE_FIELDS)[]

export type SearchedFields = Pick<LineRecord, (typeof SEARCHED_FIELDS)[number]>

/** A character nobody types keeps the end of one field apart from the start of the next. */
const SEPARATOR = '\u001f'

const ACCENTS = /[\u0300-\u036f]/g
/** Letters that are one with their stroke or are two in one, and a sigma that ends a word. */
const LETTERS: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  þ: 'th',
  ı: 'i',
  ς: 'σ',
}
const SPECIAL_LETTER = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'g')
const BEYOND_ASCII = /[^\0-\x7f]/

/**
 * A text as it is searched: lower case, without accents, `ß` as `ss`. Both sides of a search go
 * through it: what lines keep, and what is typed. To change it is to fill `search_text` anew.
 */
function toSearched(text: string): string {
  const lower = text.toLowerCase()
  if (!BEYOND_ASCII.test(lower)) return lower
  const plain = lower.normalize('NFKD').replace(ACCENTS, '')
  return plain.replace(SPECIAL_LETTER, (letter) => LETTERS[letter] as string)
}

/**
 * The forms in which a typed text is looked for: as it is searched, and with its accents, since
 * some lines of an earlier version still have theirs.
 */
export function toSearchedTexts(text: string): string[] {
  return [...new Set([toSearched(text), text.toLowerCase()])]
}

/** What the column `search_text` has of a line. */
export function toSearchText(line: SearchedFields): string {
  return toSearched(SEARCHED_FIELDS.map((field) => joinValue(line[field])).join(SEPARATOR))
}

function joinValue(value: string | readonly string[] | null): string {
  if (value === null || typeof value === 'string') return value ?? ''
  return value.join(SEPARATOR)
}

/** SQL for the same words of a line `l`, as they came. */
export const SEARCHED_WORDS = SEARCHED_FIELDS.map((field) => {
  const { column, type }: { column: string; type: string } = STORED_LINE_FIELDS[field]
  return type === 'text[]' ? `array_to_string(l.${column}, chr(31))` : `coalesce(l.${column}, '')`
}).join(' || chr(31) || ')
