import { type DecimalText, negateDecimal, parseDecimal } from '#lib/reconcile/money.ts'

const SIGN = /^([+\-\u2212])?\s*/
/**
 * Separators of thousands besides the other mark: spaces (also narrow and no-break) and
 * apostrophes.
 */
const GAP = " '\u2019\u00a0\u2009\u202f"

const DECIMAL_MARKS = [
  { mark: '.', separators: `,${GAP}` },
  { mark: ',', separators: `.${GAP}` },
].map(({ mark, separators }) => ({
  mark,
  plain: new RegExp(`^\\d*(?:\\${mark}\\d+)?$`),
  grouped: new RegExp(`^\\d{1,3}([${separators}])\\d{3}(?:\\1\\d{3})*(?:\\${mark}\\d+)?$`),
}))

/**
 * What some texts mean as amounts, without sign: one list for each decimal mark by which all of
 * them can be read. `1,234` means 1234 to some and 1.234 to others; who types two amounts writes
 * both in one way. Accepts a sign, and thousands separated by comma, point, space or apostrophe.
 */
export function listReadings(texts: readonly string[]): DecimalText[][] {
  const readings = DECIMAL_MARKS.map((mark) => texts.flatMap((text) => readAmount(text, mark) ?? []))
  const whole = readings.filter((amounts) => amounts.length === texts.length)
  return [...new Map(whole.map((amounts) => [amounts.join(' '), amounts])).values()]
}

/** The amounts that one text can mean; none if it is not an amount. */
export function toSearchedAmounts(text: string): DecimalText[] {
  return listReadings([text]).flat()
}

function readAmount(text: string, { mark, plain, grouped }: (typeof DECIMAL_MARKS)[number]): DecimalText | null {
  const digits = text.trim().replace(SIGN, '')
  if (!/^[.,]?\d/.test(digits) || (!plain.test(digits) && !grouped.test(digits))) return null
  const [whole = '', fraction] = digits.split(mark)
  return parseDecimal(`${whole.replace(/\D/g, '') || '0'}${fraction === undefined ? '' : `.${fraction}`}`)
}

/** The same amounts with both signs: a search for a credit note's figure ignores its sign. */
export function withBothSigns(amounts: readonly DecimalText[]): DecimalText[] {
  return [...new Set(amounts.flatMap((amount) => [amount, negateDecimal(amount)]))]
}
