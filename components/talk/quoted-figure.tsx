import { Amount } from '#components/figures/amount.tsx'
import type { Quote } from '#lib/talk/model.ts'

/** A figure as it was when somebody quoted it. */
export function QuotedFigure({ quote: { label, amount, currency } }: { quote: Quote }) {
  return (
    <>
      <bdi>{label}</bdi> <Amount amount={amount} currency={currency} withCode signed={label.startsWith('difference')} />
    </>
  )
}
