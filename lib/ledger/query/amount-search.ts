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
 * The amounts a search text can mean, without sign; none if it is not an amount. `1,234` means 1234
 * to some and 1.234 to others: returns both. Accepts a sign, either decimal mark, and thousands
 * separated by comma, point, space or apostrophe.
 */
export function toSearchedAmounts(text: string): DecimalText[] {
  const digits = text.trim().replace(SIGN, '')
  if (!/^[.,]?\d/.test(digits)) return []
  const amounts = DECIMAL_MARKS.flatMap(({ mark, plain, grouped }) => {
    if (!plain.test(digits) && !grouped.test(digits)) return []
    const [whole = '', fraction] = digits.split(mark)
    const amount = parseDecimal(`${whole.replace(/\D/g, '') || '0'}${fraction === undefined ? '' : `.${fraction}`}`)
    return amount === null ? [] : [amount]
  })
  return [...new Set(amounts)]
}

/** The same amounts with both signs: a search for a credit note's figure ignores its sign. */
export function withBothSigns(amounts: readonly DecimalText[]): DecimalText[] {
  return [...new Set(amounts.flatMap((amount) => [amount, negateDecimal(amount)]))]
}
