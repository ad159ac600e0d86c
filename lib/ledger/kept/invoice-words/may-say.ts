/**
 * Which invoices may have a line with a text: those whose note says so, and those that nobody has
 * noted (docs/decisions/037-words-of-invoices.md).
 */
import { toSearchedTexts } from '../../fields/search-text.ts'
import { toSearchedAmounts } from '../../query/amount-search.ts'
import type { SqlParameters } from '../../sql/sql-parameters.ts'
import { TRIGRAM_LENGTH, toWordBits, WORD_BITS_VERSION } from './word-bits.ts'

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
