import { ShortAmount } from '#components/figures/short-amount.tsx'
import { formatCount } from '#lib/reconcile/format.ts'
import { isCount, type Measure } from '#lib/reconcile/matrix/measures.ts'
import type { DecimalText } from '#lib/reconcile/money.ts'

type MatrixFigureProps = { amount: DecimalText; currency: string; measure: Measure; signed?: boolean }

/** Money in its currency, or a count. */
export function MatrixFigure({ amount, currency, measure, signed = false }: MatrixFigureProps) {
  if (!isCount(measure)) return <ShortAmount amount={amount} currency={currency} signed={signed} />
  return signed && /^[1-9]/.test(amount) ? `+${formatCount(amount)}` : formatCount(amount)
}
