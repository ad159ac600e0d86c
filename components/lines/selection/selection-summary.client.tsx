'use client'

import { useEffect, useState } from 'react'
import { ShortAmount } from '#components/figures/short-amount.tsx'
import { buttonClass } from '#components/primitives/button.ts'
import type { LineRow } from '#lib/ledger/model.ts'
import { formatCount } from '#lib/reconcile/format.ts'
import type { DecimalText } from '#lib/reconcile/money.ts'

type Sum = { currency: string; amount: DecimalText }

/** How many rows are selected, at least one, and their exact sum per currency. */
export function SelectionSummary({ rows, onClear }: { rows: LineRow[]; onClear: () => void }) {
  const sums = useSums(rows)
  return (
    <>
      <span className="font-medium text-ink">{formatCount(rows.length)} selected</span>
      {sums.map(({ currency, amount }) => (
        <span key={currency} className="whitespace-nowrap text-ink tabular-nums">
          <ShortAmount amount={amount} currency={currency} /> <small className="text-ink3">{currency}</small>
        </span>
      ))}
      <button type="button" onClick={onClear} className={buttonClass({ look: 'quiet', size: 'small' })}>
        Clear
      </button>
    </>
  )
}

/** The decimal library loads with the first selection, not with the page. */
function useSums(rows: LineRow[]): Sum[] {
  const [sums, setSums] = useState<Sum[]>([])
  const identity = rows.map((row) => `${row.connectionId}~${row.id}`).join('\n')
  // biome-ignore lint/correctness/useExhaustiveDependencies: the rows are the same as long as their identity is
  useEffect(() => {
    let isCurrent = true
    const work = async () => {
      const { sumDecimals } = await import('#lib/reconcile/money.ts')
      const currencies = [...new Set(rows.map((row) => row.currency))].sort()
      if (isCurrent)
        setSums(
          currencies.map((currency) => ({
            currency,
            amount: sumDecimals(rows.filter((row) => row.currency === currency).map((row) => row.totalAmount)),
          })),
        )
    }
    void work()
    return () => {
      isCurrent = false
    }
  }, [identity])
  return sums
}
