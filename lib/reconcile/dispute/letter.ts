// Runs in the browser: a person changes the language and sees the letter change. The figures come
// from the server (letter-figures.ts), which has the decimal library.
import type { Day } from '../day.ts'
import type { DecimalText } from '../money.ts'
import { writeEquation } from './letter-equation.ts'
import type { LetterFigures, LetterLine } from './letter-figures.ts'
import { type LetterLanguage, writeAmount, writeDay } from './letter-format.ts'
import { LETTER_WORDS } from './letter-words.ts'
import { cutText, isolate, toHarmlessLine, wrapText } from './plain-text.ts'

/** What a letter to the platform is about: lines of one invoice, at least one. */
export type Letter = LetterFigures & {
  invoice: { serialNumber: string; issuedOn: Day | null; issuer: string | null }
  reference: string
  person: { name: string; organization: string }
  /** What the person adds in own words; null for nothing. */
  note: string | null
}

/** A text as it is sent: lines of at most 78 columns, separated by `\n`. */
export type WrittenLetter = { subject: string; text: string }

/** The longest description and the longest serial number of a subject, in characters. */
const SUBJECT_DESCRIPTION = 48
const SUBJECT_SERIAL = 40

/**
 * Writes the letter in a language. Figures are exact. Texts of the platform are whole and without
 * tricks: they cannot end a line, hide a word or turn figures around.
 */
export function writeLetter(letter: Letter, language: LetterLanguage): WrittenLetter {
  return { subject: toSubject(letter, language), text: toText(letter, language) }
}

function toSubject(letter: Letter, language: LetterLanguage): string {
  const words = LETTER_WORDS[language]
  const { lines, currency } = letter
  const serial = isolate(cutText(toHarmlessLine(letter.invoice.serialNumber), SUBJECT_SERIAL))
  const isOne = lines.length === 1
  const what = lines.map((line) => nameLine(line, language, SUBJECT_DESCRIPTION))[0] ?? ''
  const claim = toClaim(lines, amountWith(letter.expectedBack, currency, language), language)
  return toPlain(
    isOne
      ? `${serial}, ${what}${words.colon} ${claim}`
      : `${serial}, ${countLines(lines, language)}${words.colon} ${claim}`,
  )
}

/** A refund that is too small is the other way round than a charge that is too large. */
function toClaim(lines: readonly LetterLine[], amount: string, language: LetterLanguage): string {
  const words = LETTER_WORDS[language]
  const refunds = lines.filter(({ totalAmount }) => totalAmount.startsWith('-')).length
  if (refunds === 0) return words.charged(amount)
  return refunds === lines.length ? words.refunded(amount) : words.expectedBack(amount)
}

function toText(letter: Letter, language: LetterLanguage): string {
  const words = LETTER_WORDS[language]
  const { lines, currency, invoice, person } = letter
  const isOne = lines.length === 1
  const isWrong = lines.every((line) => [line.difference, line.taxDifference].some((each) => /[1-9]/.test(each)))
  const opening = words.opening({
    invoice: words.invoice(
      isolate(toHarmlessLine(invoice.serialNumber)),
      invoice.issuedOn === null ? null : writeDay(invoice.issuedOn, language),
      invoice.issuer === null ? null : isolate(toHarmlessLine(invoice.issuer)),
    ),
    lines: isOne ? nameLine(lines[0] as LetterLine, language) : countLines(lines, language),
    isOne,
    isWrong,
  })
  const equations = lines.flatMap((line) => [
    ...(isOne ? [] : [wrap(`${capitalize(nameLine(line, language))}${words.colon}`)]),
    writeEquation(line, { currency, language, hasCredit: !isOne || !isSame(line.expectedBack, line.together) }),
  ])
  const amount = amountWith(letter.expectedBack, currency, language)
  const request = `${words.request(amount, { isOne, isWrong })} ${words.reference(isolate(toHarmlessLine(letter.reference)))}`
  const signature = [person.name, person.organization].map((each) => isolate(toHarmlessLine(each))).filter(Boolean)
  return [
    wrap(words.greeting),
    wrap(opening),
    ...equations,
    ...toNote(letter.note),
    wrap(request),
    [...wrap(words.regards), ...wrap(signature.join(', '))],
  ]
    .map((lines) => toPlain(lines.join('\n')))
    .join('\n\n')
}

/** The person's own lines stay lines. */
function toNote(note: string | null): string[][] {
  const lines = (note ?? '').split(/\r\n|[\r\n]/).map(toHarmlessLine)
  const written = lines
    .flatMap((line) => wrap(isolate(line)))
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
  return written === '' ? [] : [written.split('\n')]
}

function nameLine({ number, description }: LetterLine, language: LetterLanguage, most?: number): string {
  const words = LETTER_WORDS[language]
  const harmless = toHarmlessLine(description)
  const shown = most === undefined ? harmless : cutText(harmless, most)
  // a platform may describe nothing
  return words.line(number === null ? '' : String(number), words.quote(shown === '' ? '\u2013' : isolate(shown)))
}

function countLines(lines: readonly LetterLine[], language: LetterLanguage): string {
  return LETTER_WORDS[language].lines(String(lines.length))
}

function amountWith(amount: DecimalText, currency: string, language: LetterLanguage): string {
  return `${writeAmount(amount, currency, language)}\u00a0${currency}`
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Equal by value: `1.0` and `1`. */
function isSame(a: DecimalText, b: DecimalText): boolean {
  const plain = (value: string) => (value.includes('.') ? value.replace(/\.?0+$/, '') : value)
  return plain(a) === plain(b)
}

function wrap(text: string): string[] {
  return wrapText(text)
}

/** What kept words together has done its work; a plain text has plain spaces. */
function toPlain(text: string): string {
  return text.replaceAll('\u00a0', ' ')
}
