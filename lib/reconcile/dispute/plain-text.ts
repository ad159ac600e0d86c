// Runs in the browser. Texts from outside in a plain text that somebody else will read.

/** Mails are read in windows of 80 columns; two are left for the marks of an answer. */
export const TEXT_COLUMNS = 78

/** Draws nothing and may hide or turn text. Joiners and the form of an emoji are kept. */
const INVISIBLE = /(?!\u200c|\u200d|\ufe0e|\ufe0f)[\p{Default_Ignorable_Code_Point}\p{Cc}\ufff9-\ufffb]/gu
const BLANKS = /[\s\u0085]+/gu
const LONE_SURROGATE = /\p{Surrogate}/gu
/** Letters that are read from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/**
 * A text from outside as one line without tricks: no line break that begins a header or a sentence
 * of ours, no control character, nothing invisible, no mark that turns the order of what follows.
 */
export function toHarmlessLine(text: string): string {
  return text.replace(LONE_SURROGATE, '\ufffd').replace(BLANKS, ' ').replace(INVISIBLE, '').replace(/ +/g, ' ').trim()
}

/**
 * Keeps the letters of a harmless text from turning the figures beside them around (U+2068, U+2069
 * of UAX 9). Others stay as they are.
 */
export function isolate(text: string): string {
  return RIGHT_TO_LEFT.test(text) ? `\u2068${text}\u2069` : text
}

const JOINED = /[\p{M}\u200c\u200d]/u

/** At most `most` characters, the last of them an ellipsis if something is cut off. */
export function cutText(text: string, most: number): string {
  const all = [...text]
  if (all.length <= most) return text
  let end = most - 1
  // a letter is not parted from its accents, nor an emoji from what is joined to it
  while (end > 0 && (JOINED.test(all[end] ?? '') || all[end - 1] === '\u200d')) end -= 1
  return `${all.slice(0, end).join('').trimEnd()}\u2026`
}

const NO_COLUMN = /[\p{Mn}\p{Me}\p{Default_Ignorable_Code_Point}]/u
/** East Asian letters and emoji take two columns where every letter takes the same room. */
const TWO_COLUMNS =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f000}-\u{1faff}\u{20000}-\u{3fffd}]/u

/** The columns that a text takes in a monospaced font. */
export function countColumns(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length
  let columns = 0
  for (const each of text) columns += NO_COLUMN.test(each) ? 0 : TWO_COLUMNS.test(each) ? 2 : 1
  return columns
}

/**
 * A text in lines of at most `columns`, broken at blanks; a word that is longer is broken where it
 * has to be. No-break spaces do not break.
 */
export function wrapText(text: string, columns: number = TEXT_COLUMNS): string[] {
  const lines: string[] = []
  let line = ''
  let taken = 0
  for (const word of text.split(' ').flatMap((each) => breakWord(each, columns))) {
    const more = countColumns(word)
    if (line !== '' && taken + 1 + more > columns) {
      lines.push(line)
      line = ''
    }
    taken = line === '' ? more : taken + 1 + more
    line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}

function breakWord(word: string, columns: number): string[] {
  if (countColumns(word) <= columns) return [word]
  const pieces: string[] = []
  let piece = ''
  let taken = 0
  for (const each of word) {
    const more = countColumns(each)
    if (taken + more > columns) {
      pieces.push(piece)
      piece = ''
      taken = 0
    }
    piece += each
    taken += more
  }
  return [...pieces, piece]
}
