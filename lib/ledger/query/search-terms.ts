/**
 * What a search text asks for. Its words count in any order, and each may mean several things: part
 * of a text, an amount, a range of amounts, a currency, the digits of a card, a serial number.
 */
import { compareDecimals, type DecimalText } from '#lib/reconcile/money.ts'
import { listReadings, toSearchedAmounts } from './amount-search.ts'
import { type SearchWord, splitSearch } from './search-words.ts'

/** Sizes of amounts, whatever their sign; null has no end on that side. */
export type AmountRange = { from: DecimalText | null; to: DecimalText | null; withEnds: boolean }

/** One word. A record matches that has all its texts, or any of the others. */
export type SearchTerm = {
  /** As typed. None for a comparison: no name has `>300` in it. */
  texts: string[]
  /** Without sign. */
  amounts: DecimalText[]
  ranges: AmountRange[]
  /** Three letters, upper case. */
  currency: string | null
  /** The last four digits of a card. */
  cardDigits: string | null
  /** A serial number, or part of one, in lower case and without what separates its parts. */
  serial: string | null
}

/** What separates the parts of a serial number. */
export const SERIAL_SEPARATORS = '-/._ '

/** Words beyond these are not looked for. */
const MAX_TERMS = 12

/** The words of a search text, each once; none of an empty one. Never throws. */
export function parseSearch(text: string): SearchTerm[] {
  const terms = splitSearch(text).map(toTerm)
  return [...new Map(terms.map((term) => [JSON.stringify(term), term])).values()].slice(0, MAX_TERMS)
}

const NOTHING: SearchTerm = { texts: [], amounts: [], ranges: [], currency: null, cardDigits: null, serial: null }

function toTerm(found: SearchWord): SearchTerm {
  const { word, parts, sign, bound, from, to } = found
  if (found.isPhrase) return { ...NOTHING, texts: parts }
  if (sign !== undefined && bound !== undefined) {
    const ranges = listReadings([bound]).map(([amount]) => toComparison(sign, amount as DecimalText))
    return ranges.length === 0 ? { ...NOTHING, texts: parts } : { ...NOTHING, ranges }
  }
  if (from !== undefined && to !== undefined)
    return { ...NOTHING, texts: parts, ranges: toRanges(from, to), serial: toSerial(word) }
  return {
    texts: parts,
    amounts: toSearchedAmounts(word),
    ranges: [],
    currency: /^[a-z]{3}$/i.test(word) ? word.toUpperCase() : null,
    cardDigits: /^\d{4}$/.test(word) ? word : null,
    serial: toSerial(word),
  }
}

function toComparison(sign: string, amount: DecimalText): AmountRange {
  const withEnds = !['<', '>'].includes(sign)
  return '<\u2264'.includes(sign.charAt(0))
    ? { from: null, to: amount, withEnds }
    : { from: amount, to: null, withEnds }
}

/** Neither `2026-03` nor `01-2025` is one: it falls, or begins as no amount does. */
function toRanges(from: string, to: string): AmountRange[] {
  if ([from, to].some((end) => /^0\d/.test(end))) return []
  return listReadings([from, to])
    .map(([least, most]) => ({ from: least as DecimalText, to: most as DecimalText, withEnds: true }))
    .filter((range) => compareDecimals(range.from, range.to) <= 0)
}

/** Letters with a digit among them, or many digits: few of these are in every other number. */
function toSerial(word: string): string | null {
  const joined = [...word.toLowerCase()].filter((each) => !SERIAL_SEPARATORS.includes(each)).join('')
  return /^(?=.*\d)[a-z\d]{4,}$/.test(joined) && (/[a-z]/.test(joined) || joined.length >= 7) ? joined : null
}
