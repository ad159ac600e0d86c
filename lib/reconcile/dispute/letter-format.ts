// Runs in the browser: string work only. A letter is written as its reader writes.
import { currencyDigits } from '../currency.ts'
import type { Day } from '../day.ts'
import { NUMBER_FORMATS, type NumberFormat } from '../formats.ts'
import type { DecimalText } from '../money.ts'

export const LETTER_LANGUAGES = ['en', 'de', 'fr', 'es'] as const
export type LetterLanguage = (typeof LETTER_LANGUAGES)[number]

const NUMBERS: Record<LetterLanguage, NumberFormat> = {
  en: 'comma-point',
  de: 'point-comma',
  fr: 'space-comma',
  es: 'point-comma',
}
const MONTHS: Record<LetterLanguage, string> = {
  en: 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec',
  de: 'Januar Februar März April Mai Juni Juli August September Oktober November Dezember',
  fr: 'janvier février mars avril mai juin juillet août septembre octobre novembre décembre',
  es: 'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre',
}

/**
 * An amount with at least its currency's decimals and every further significant digit: nothing is
 * rounded. `isSigned` writes `+` before one above zero.
 */
export function writeAmount(
  amount: DecimalText,
  currency: string,
  language: LetterLanguage,
  { isSigned = false }: { isSigned?: boolean } = {},
): string {
  return writeFigure(amount, currencyDigits(currency), language, isSigned)
}

/** A quantity or a rate, without trailing zeros. */
export function writeNumber(value: DecimalText, language: LetterLanguage): string {
  return writeFigure(value, 0, language, false)
}

/** A day with the month as a word, which nobody can take for another day. */
export function writeDay(day: Day, language: LetterLanguage): string {
  const [year = '', month = '', padded = ''] = day.split('-')
  const name = MONTHS[language].split(' ')[Number(month) - 1] ?? ''
  const date = String(Number(padded))
  if (language === 'en') return `${name} ${date}, ${year}`
  if (language === 'de') return `${date}. ${name} ${year}`
  if (language === 'es') return `${date} de ${name} de ${year}`
  return `${date === '1' ? '1er' : date} ${name} ${year}`
}

/** What stands before the decimals in this language. */
export function decimalSignOf(language: LetterLanguage): string {
  return NUMBER_FORMATS[NUMBERS[language]].decimal
}

function writeFigure(value: DecimalText, digits: number, language: LetterLanguage, isSigned: boolean): string {
  const isNegative = value.startsWith('-')
  const [integer = '0', decimals = ''] = (isNegative ? value.slice(1) : value).split('.')
  const kept = decimals.replace(/0+$/, '').padEnd(digits, '0')
  const sign = !/[1-9]/.test(value) ? '' : isNegative ? '\u2212' : isSigned ? '+' : ''
  const { group, decimal } = NUMBER_FORMATS[NUMBERS[language]]
  return sign + integer.replace(/\B(?=(\d{3})+$)/g, group) + (kept === '' ? '' : decimal + kept)
}
