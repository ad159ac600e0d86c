import { currencyDigits } from '#lib/reconcile/currency.ts'
import { decimalSign } from '#lib/reconcile/format.ts'
import type { DecimalText } from '#lib/reconcile/money.ts'
import { ShortAmount } from './short-amount.tsx'

/** The decimals a column needs to align its figures on the decimal point. */
export function toDecimalRoom(rows: readonly { currency: string }[]): number {
  return Math.max(0, ...rows.map(({ currency }) => currencyDigits(currency)))
}

/**
 * An amount in a column of several currencies, padded with digits that are invisible and never
 * copied.
 */
export function AlignedAmount({ amount, currency, room }: { amount: DecimalText; currency: string; room: number }) {
  const decimals = currencyDigits(currency)
  return (
    <>
      <ShortAmount amount={amount} currency={currency} />
      {decimals < room && <i aria-hidden>{(decimals === 0 ? decimalSign() : '') + '0'.repeat(room - decimals)}</i>}
    </>
  )
}
