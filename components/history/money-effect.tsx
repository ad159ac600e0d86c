import { Amount } from '#components/figures/amount.tsx'
import type { RecordChange } from '#lib/ledger/model.ts'

/**
 * The effect of a change: the difference of the totals in their currency, never across currencies.
 */
export function MoneyEffect({ change }: { change: Pick<RecordChange, 'before' | 'after' | 'effect'> }) {
  const { before, after, effect } = change
  if (effect === null)
    return (
      <span className="whitespace-nowrap text-warn">
        {before.currency} → {after.currency}
      </span>
    )
  if (!/[1-9]/.test(effect.difference)) return <span className="whitespace-nowrap text-ink3">no change in amount</span>
  return <Amount amount={effect.difference} currency={effect.currency} signed withCode className="font-medium" />
}
