/** The part of a where-clause that looks for a text. Every value is a parameter. */
import { toSearchedTexts } from '../fields/search-text.ts'
import { withBothSigns } from '../query/amount-search.ts'
import { foldText } from '../query/fold-text.ts'
import { type AmountRange, parseSearch, SERIAL_SEPARATORS, type SearchTerm } from '../query/search-terms.ts'
import { toFolded } from '../sql/folded.ts'
import type { SqlParameters } from '../sql/sql-parameters.ts'

/** Where a record has what a search asks for, in SQL. */
type Searched = {
  toTextMatch: (text: string, parameters: SqlParameters) => string
  currency: string
  cardDigits: string | null
  /** Ranges are of this one alone: a person means the figure of the list. */
  total: string
  otherAmounts: string[]
  serialNumber: string
}

/** What is looked through for an amount, beside the total, in lines `l`. */
export const OTHER_AMOUNTS = [
  'l.tax_amount',
  'l.unit_price',
  'l.non_taxable_unit_price',
  'l.difference',
  'l.tax_difference',
  // as the list shows it
  'l.difference + l.tax_difference',
]

const LINES: Searched = {
  toTextMatch: (text, parameters) => {
    const forms = toSearchedTexts(text).map((form) => `position(${parameters.add(form)} in l.search_text) > 0`)
    return forms.length === 1 ? (forms[0] as string) : `(${forms.join(' or ')})`
  },
  currency: 'l.currency',
  cardDigits: 'l.credit_card_last_4_digits',
  total: 'l.total_amount',
  otherAmounts: OTHER_AMOUNTS,
  serialNumber: 'l.invoice_serial_number',
}

const TEXTS_OF_INVOICE = toFolded('concat_ws(chr(31), i.serial_number, i.profile_name, i.legal_name, i.reference)')

const INVOICES: Searched = {
  toTextMatch: (text, parameters) => `position(${parameters.add(foldText(text))} in ${TEXTS_OF_INVOICE}) > 0`,
  currency: 'i.currency',
  cardDigits: null,
  total: 'i.total',
  otherAmounts: ['i.credit_used'],
  serialNumber: 'i.serial_number',
}

/** Lines `l` have what a search text asks for; null without one. */
export function toTextCondition(text: string, parameters: SqlParameters): string | null {
  return toCondition(LINES, text, parameters)
}

/** The same of invoices `i`. */
export function toInvoiceTextCondition(text: string, parameters: SqlParameters): string | null {
  return toCondition(INVOICES, text, parameters)
}

/**
 * A serial number has this joined one in it, without what separates its parts; letters beyond ASCII
 * stay.
 */
export function toSerialMatch(column: string, serial: string, parameters: SqlParameters): string {
  return `position(${parameters.add(serial)} in translate(lower(${column} collate "C"), '${SERIAL_SEPARATORS}', '')) > 0`
}

function toCondition(searched: Searched, text: string, parameters: SqlParameters): string | null {
  const terms = parseSearch(text)
  if (terms.length === 0) return null
  return terms.map((term) => `(${listMatches(searched, term, parameters).join(' or ') || 'false'})`).join(' and ')
}

/** Each way in which a record may have a word; what is quickest to see comes first. */
function listMatches(searched: Searched, term: SearchTerm, parameters: SqlParameters): string[] {
  const equals = (column: string | null, value: string | null) =>
    column === null || value === null ? [] : [`${column} = ${parameters.add(value)}`]
  const texts = term.texts.map((text) => searched.toTextMatch(text, parameters))
  return [
    ...(texts.length === 0 ? [] : [texts.length === 1 ? (texts[0] as string) : `(${texts.join(' and ')})`]),
    ...equals(searched.currency, term.currency),
    ...equals(searched.cardDigits, term.cardDigits),
    ...listAmountMatches(searched, term, parameters),
    ...term.ranges.map((range) => toRangeCondition(`abs(${searched.total})`, range, parameters)),
    ...(term.serial === null ? [] : [toSerialMatch(searched.serialNumber, term.serial, parameters)]),
  ]
}

/** Zero is looked for among totals alone: most lines differ by it. */
function listAmountMatches({ total, otherAmounts }: Searched, { amounts }: SearchTerm, parameters: SqlParameters) {
  return amounts.flatMap((amount) => {
    // comparisons one by one: a list of them would be taken apart again for each line
    const signed = withBothSigns([amount]).map((each) => `${parameters.add(each)}::numeric`)
    const columns = signed.length === 1 ? [total] : [total, ...otherAmounts]
    return columns.flatMap((column) => signed.map((each) => `${column} = ${each}`))
  })
}

function toRangeCondition(size: string, { from, to, withEnds }: AmountRange, parameters: SqlParameters): string {
  const equal = withEnds ? '=' : ''
  const ends = [
    from === null ? [] : [`${size} >${equal} ${parameters.add(from)}::numeric`],
    to === null ? [] : [`${size} <${equal} ${parameters.add(to)}::numeric`],
  ]
  return `(${ends.flat().join(' and ')})`
}
