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
  const hint = text === amount ? undefined : `${amount} ${currency}`
  const padding = filler !== '' && (
    <span aria-hidden className="invisible select-none max-md:hidden">
      {filler}
    </span>
  )
  if (hint === undefined && padding === false) return text
  return (
    <span title={hint}>
      {text}
      {padding}
    </span>
  )
}

function countDecimals(text: string): number {
  const point = text.indexOf('.')
  return point === -1 ? 0 : text.length - point - 1
}
