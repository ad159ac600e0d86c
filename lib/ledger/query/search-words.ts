/** A search text, word by word. Pure and small: the browser marks by it what was found. */

const SPACED = String.raw`\d{1,3}(?:[ \u00a0\u2009\u202f]\d{3})+(?:[.,]\d+)?`
const AMOUNT = String.raw`(?:${SPACED}|[.,]?\d[\d.,'\u2019]*)`
/** `300 -5` is no range, but two amounts. */
const TO = String.raw`(?:\.\.|[-\u2013\u2014\u2026])`
/** The first that fits up to a blank: a phrase, amounts with blanks in them, a word. */
const TERMS = new RegExp(
  [
    '"(?<phrase>[^"]+)"',
    String.raw`(?<sign><=|>=|[<>\u2264\u2265])\s*(?<bound>${AMOUNT})(?!\S)`,
    String.raw`(?<from>${AMOUNT})(?:${TO}|\s+${TO}\s+)(?<to>${AMOUNT})(?!\S)`,
    String.raw`[+\-\u2212]?${SPACED}(?!\S)`,
    String.raw`\S+`,
  ].join('|'),
  'gu',
)

/** A word, with what is in it: the ends of a comparison or a range, if it is one. */
export type SearchWord = {
  word: string
  /** What a text has to have of it: itself, without quotes, or what its blanks keep apart. */
  parts: string[]
  isPhrase: boolean
  sign: string | undefined
  bound: string | undefined
  from: string | undefined
  to: string | undefined
}

/** The words of a search text, in its order. Never throws. */
export function splitSearch(text: string): SearchWord[] {
  return [...text.matchAll(TERMS)].map(({ 0: word, groups: { phrase, sign, bound, from, to } = {} }) => ({
    word,
    parts: phrase === undefined ? word.split(/\s+/) : [phrase],
    isPhrase: phrase !== undefined,
    sign,
    bound,
    from,
    to,
  }))
}
