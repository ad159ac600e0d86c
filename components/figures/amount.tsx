import { classNames } from '#components/class-names.ts'
import { formatAmount } from '#lib/reconcile/format.ts'
import type { DecimalText } from '#lib/reconcile/money.ts'

type AmountProps = {
  amount: DecimalText
  currency: string
  /** Appends the currency code, small and muted. */
  withCode?: boolean
  /** Writes `+` before positive amounts, for differences. */
  signed?: boolean
  className?: string
}

/** An amount with its currency's decimals; every digit as stated on hover. */
export function Amount({ amount, currency, withCode = false, signed = false, className }: AmountProps) {
  return (
    <span className={classNames('whitespace-nowrap tabular-nums', className)} title={`${amount} ${currency}`}>
      {formatAmount(amount, currency, { sign: signed ? 'always' : 'negative' })}
      {withCode && <span className="text-[12px] text-ink3"> {currency}</span>}
    </span>
  )
}
