import { formatAmount } from '#lib/reconcile/format.ts'
import type { DecimalText } from '#lib/reconcile/money.ts'

/** An odd figure with more decimals than any currency must not push the column to the left. */
const MOST_DECIMALS = 4

/** The decimals a column needs to align its figures on the decimal point. */
export function toDecimalRoom(amounts: { amount: DecimalText; currency: string }[]): number {
  const decimals = amounts.map(({ amount, currency }) => countDecimals(formatAmount(amount, currency)))
  return Math.max(0, ...decimals.filter((count) => count <= MOST_DECIMALS))
}

/**
 * An amount in a column of several currencies, padded with digits that are invisible and never
 * copied.
 */
export function AlignedAmount({ amount, currency, room }: { amount: DecimalText; currency: string; room: number }) {
  const text = formatAmount(amount, currency)
  const decimals = countDecimals(text)
  const filler = decimals === 0 && room > 0 ? `.${'0'.repeat(room)}` : '0'.repeat(Math.max(0, room - decimals))
  return (
    <>
      <CellAmount amount={amount} currency={currency} />
      {filler !== '' && <i aria-hidden>{filler}</i>}
    </>
  )
}

/**
 * An amount in a cell of a list, whose column says that it is one. On hover every digit as stated,
 * if the text shows others.
 */
export function CellAmount({ amount, currency }: { amount: DecimalText; currency: string }) {
  const text = formatAmount(amount, currency)
  const isAsStated = text.replaceAll(',', '').replace('−', '-') === amount
  return isAsStated ? text : <span title={`${amount} ${currency}`}>{text}</span>
}

function countDecimals(text: string): number {
  const point = text.indexOf('.')
  return point === -1 ? 0 : text.length - point - 1
}
