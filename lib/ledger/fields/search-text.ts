/**
 * What a search looks through: the words of a line as one text, without case and accents. The line
 * keeps it, so that a million lines are searched byte by byte.
 */
import type { LINE_FIELDS, LineRecord } from '#lib/reconcile/records.ts'
import { foldText } from '../query/fold-text.ts'
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

/**
 * The forms in which a typed text is looked for: as it is searched, and with its accents, since
 * some lines of an earlier version still have theirs.
 */
export function toSearchedTexts(text: string): string[] {
  return [...new Set([foldText(text), text.toLowerCase()])]
}

/** What the column `search_text` has of a line. */
export function toSearchText(line: SearchedFields): string {
  return foldText(SEARCHED_FIELDS.map((field) => joinValue(line[field])).join(SEPARATOR))
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
