import { formatAmount } from '#lib/reconcile/format.ts'
import type { DecimalText } from '#lib/reconcile/money.ts'
import { shortenAmount } from '#lib/reconcile/short-amount.ts'

type ShortAmountProps = { amount: DecimalText; currency: string; signed?: boolean }

/**
 * An amount in its currency's decimals. A raised dot marks one that is stated with more: the whole
 * figure shows on hover and is read aloud. Only a marked one has markup of its own.
 */
export function ShortAmount({ amount, currency, signed = false }: ShortAmountProps) {
  const options = signed ? ({ sign: 'always' } as const) : {}
  const { text, isWhole } = shortenAmount(amount, currency, options)
  if (isWhole) return text
  const whole = formatAmount(amount, currency, options)
  return (
    <span className="short-amount" title={`${whole} ${currency}`}>
      <span aria-hidden>{text}</span>
      <span className="sr-only">{whole}</span>
    </span>
  )
}
