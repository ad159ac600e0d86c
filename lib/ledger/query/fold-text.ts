/** Texts without what a search forgives: case, accents, letters in one. Pure. */
const ACCENTS = /[\u0300-\u036f]/g
/** Letters that are one with their stroke or are two in one, and a sigma that ends a word. */
export const SPECIAL_LETTERS: Record<string, string> = {
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
const SPECIAL_LETTER = new RegExp(`[${Object.keys(SPECIAL_LETTERS).join('')}]`, 'g')
const BEYOND_ASCII = /[^\0-\x7f]/

/**
 * A text as it is searched: lower case, without accents, `ß` as `ss`. Both sides of a search go
 * through it: what lines keep, what is typed, and what is marked on screen. To change it is to fill
 * `search_text` anew.
 */
export function foldText(text: string): string {
  const lower = text.toLowerCase()
  if (!BEYOND_ASCII.test(lower)) return lower
  const plain = lower.normalize('NFKD').replace(ACCENTS, '')
  return plain.replace(SPECIAL_LETTER, (letter) => SPECIAL_LETTERS[letter] as string)
}
