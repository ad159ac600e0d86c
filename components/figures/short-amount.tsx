import { currencyDigits } from '#lib/reconcile/currency.ts'
import { formatAmount } from '#lib/reconcile/format.ts'
import { compareDecimals, type DecimalText, roundHalfAwayFromZero } from '#lib/reconcile/money.ts'

type ShortAmountProps = { amount: DecimalText; currency: string; signed?: boolean }

/**
 * An amount in its currency's decimals. A raised dot marks one that has more; they show on hover
 * and are read aloud. For the server: it brings the decimal library.
 */
export function ShortAmount({ amount, currency, signed = false }: ShortAmountProps) {
  const rounded = roundHalfAwayFromZero(amount, currencyDigits(currency))
  const text = formatAmount(rounded, currency, { sign: signed ? 'always' : 'negative' })
  const whole = formatAmount(amount, currency, { sign: signed ? 'always' : 'negative' })
  const isExact = compareDecimals(rounded, amount) === 0
  return (
    <span className="relative whitespace-nowrap tabular-nums" title={`${amount} ${currency}`}>
      {isExact ? (
        text
      ) : (
        <>
          <span aria-hidden>{text}</span>
          <span aria-hidden className="absolute left-full text-ink3">
            ˙
          </span>
          <span className="sr-only">{whole}</span>
        </>
      )}
    </span>
  )
}
