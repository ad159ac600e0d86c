/**
 * Which invoices may have a line with a text: those whose note says so, and those that nobody has
 * noted (docs/decisions/037-words-of-invoices.md).
 */
import { toSerialMatch } from '../../conditions/text-conditions.ts'
import { toSearchedTexts } from '../../fields/search-text.ts'
import type { LineFilters } from '../../query/line-query.ts'
import { parseSearch, type SearchTerm } from '../../query/search-terms.ts'
import type { SqlParameters } from '../../sql/sql-parameters.ts'
import { toSearchedRange } from './total-ranges.ts'
import { TRIGRAM_LENGTH, toWordBits, WORD_BITS_VERSION, type WordBits } from './word-bits.ts'

/**
 * SQL for the keys of the invoices in rows of `invoice_rollup r` under a condition, of the
 * organization `$1`, that nobody has noted, or an earlier version did. Two sets, as `listUnjudged`.
 */
export function listUnnoted(condition: string): string {
  return `select r.connection_id, r.invoice_serial_number as serial_number from invoice_rollup r where ${condition}
    except select w.connection_id, w.serial_number from invoice_words w
    where w.organization_id = $1::uuid and w.version = ${WORD_BITS_VERSION}`
}

/** SQL for the lines of the invoice that `k` names, counted; a column of its own. */
export const LINES_OF_INVOICE = `(select sum(r.line_count)::int from invoice_rollup r
  where r.organization_id = $1::uuid and r.connection_id = k.connection_id and r.invoice_serial_number = k.serial_number)`

/** What the bits of invoices say something of. */
export type Words = Pick<LineFilters, 'text' | 'vendors' | 'travelers'>

/** Whether single lines have to be looked at for what a query asks: for words or names. */
export function asksForWords({ text, vendors, travelers }: Words): boolean {
  return text !== '' || vendors.length > 0 || travelers.length > 0
}

/**
 * Whether a row of `invoice_words` may have lines with the words; null if that cannot be told. A
 * note's texts also have the currencies and cards, so what these mean beside a text needs no look
 * of its own. A serial number is compared as it is: its joined digits, as texts, would be in all.
 */
export function toWordsCondition({ text, vendors, travelers }: Words, parameters: SqlParameters): string | null {
  const conditions = [
    ...parseSearch(text).map((term) => toTermCondition(term, parameters)),
    ...[vendors, travelers].map((names) => toNamesCondition(names, parameters)),
  ].filter((condition) => condition !== null)
  return conditions.length === 0 ? null : conditions.join(' and ')
}

/** Null for a word of which the bits say nothing: any invoice may have it. */
function toTermCondition({ texts, serial, amounts, ranges }: SearchTerm, parameters: SqlParameters): string | null {
  const forms = texts.length === 0 ? [] : listForms(texts)
  if (forms.some(isTooShort)) return null
  const found = [
    ...forms.map((form) => toBitsCondition('trigrams', toWordBits(form, []), parameters)),
    ...amounts.map((each) => toBitsCondition('amounts', toWordBits([], [each]), parameters)),
    ...ranges.map((range) => `totals && ${parameters.add(toSearchedRange(range))}::int4multirange`),
    ...(serial === null ? [] : [toSerialMatch('serial_number', serial, parameters)]),
  ]
  return `(${found.join(' or ') || 'false'})`
}

/** A line has one of the names, as it is; null if the bits cannot tell, as of lines without one. */
function toNamesCondition(names: readonly string[], parameters: SqlParameters): string | null {
  const forms = names.flatMap((name) => listForms([name]))
  if (forms.length === 0 || forms.some(isTooShort)) return null
  return `(${forms.map((form) => toBitsCondition('trigrams', toWordBits(form, []), parameters)).join(' or ')})`
}

const isTooShort = (form: readonly string[]) => form.every((each) => each.length < TRIGRAM_LENGTH)

function toBitsCondition(column: 'trigrams' | 'amounts', bits: WordBits, parameters: SqlParameters): string {
  const mask = `${parameters.add(bits[column])}::${column === 'trigrams' ? 'bit(4096)' : 'bit(2048)'}`
  return `${column} & ${mask} = ${mask}`
}

/** Texts as lines have them: without accents, and as typed where that is something else. */
function listForms(texts: readonly string[]): string[][] {
  const forms = texts.map(toSearchedTexts)
  const folded = forms.map(([form = '']) => form)
  return forms.every(({ length }) => length === 1) ? [folded] : [folded, forms.map((each) => each.at(-1) ?? '')]
}
