import type { DecimalText } from '#lib/reconcile/money.ts'
import { ShortAmount } from './short-amount.tsx'

/** An amount in a sentence: its currency and the figure in the currency's decimals, never apart. */
export function Money({ amount, currency }: { amount: DecimalText; currency: string }) {
  return (
    <span className="whitespace-nowrap tabular-nums">
      {currency} <ShortAmount amount={amount} currency={currency} />
    </span>
  )
}

/** A sum of each currency, one after the other. */
export function MoneyList({ sums }: { sums: readonly { amount: DecimalText; currency: string }[] }) {
  return sums.map(({ amount, currency }, at) => (
    <span key={currency}>
      {at > 0 && ' · '}
      <Money amount={amount} currency={currency} />
    </span>
  ))
}
