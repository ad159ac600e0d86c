/**
 * Which invoices may have a line with a text: those whose note says so, and those that nobody has
 * noted (docs/decisions/037-words-of-invoices.md).
 */
import { toSearchedTexts } from '../fields/search-text.ts'
import { TRIGRAM_LENGTH, toWordBits, WORD_BITS_VERSION } from '../fields/word-bits.ts'
import { toSearchedAmounts } from '../query/amount-search.ts'
import type { SqlParameters } from '../sql/sql-parameters.ts'

/** Invoices by the keys of their lines, each once. */
export type FoundInvoices = { connectionIds: string[]; serialNumbers: string[] }

/** Whether nobody has noted the invoice of `invoice_rollup r`, or an earlier version did. */
export const HAS_NO_WORDS = `not exists (select from invoice_words w where w.organization_id = r.organization_id
  and w.connection_id = r.connection_id and w.serial_number = r.invoice_serial_number and w.version = ${WORD_BITS_VERSION})`

/** Whether a row of `invoice_words` may have a line with the text; null if it is too short. */
export function toWordsCondition(text: string, parameters: SqlParameters): string | null {
  const texts = toSearchedTexts(text)
  if (texts.some((each) => each.length < TRIGRAM_LENGTH)) return null
  const has = (column: string, type: string, bits: string) => {
    const mask = `${parameters.add(bits)}::${type}`
    return `${column} & ${mask} = ${mask}`
  }
  return [
    ...texts.map((each) => has('trigrams', 'bit(4096)', toWordBits([each], []).trigrams)),
    ...toSearchedAmounts(text).map((each) => has('amounts', 'bit(1024)', toWordBits([], [each]).amounts)),
  ].join(' or ')
}

/** Lines `l` of these invoices; null, for any, without them. */
export function toFoundCondition(found: FoundInvoices | null, parameters: SqlParameters): string | null {
  if (found === null) return null
  return `(l.connection_id, l.invoice_serial_number) in (
    select * from unnest(${parameters.add(found.connectionIds)}::uuid[], ${parameters.add(found.serialNumbers)}::text[]))`
}
