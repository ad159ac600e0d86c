'use client'

import { useEffect, useState } from 'react'
import { ShortAmount } from '#components/figures/short-amount.tsx'
import { buttonClass } from '#components/primitives/button.ts'
import type { ListView } from '#components/query/view-address.ts'
import { DecideMenu } from '#components/review/decide-menu.client.tsx'
import { countSelected, type Selection } from '#components/table/selection.ts'
import { ClearSelection, SelectAll } from '#components/table/selection-buttons.tsx'
import type { LineRow } from '#lib/ledger/model.ts'
import type { LineSortKey } from '#lib/ledger/query/line-query.ts'
import { formatCount } from '#lib/reconcile/format.ts'
import type { ReviewVerb } from '#lib/reconcile/review/review-state.ts'
import { CopyLines } from './copy-lines.client.tsx'
import { type CurrencySum, sumSelected, toSelectionFile } from './selected-lines.ts'

type SelectionSummaryProps = {
  selection: Selection<LineRow>
  /** Of the whole list; null while they are counted. */
  lineCount: number | null
  view: ListView<LineSortKey>
  onChange: (selection: Selection<LineRow>) => void
  /** Undefined for whoever may not decide. */
  decide: ((kind: ReviewVerb) => void) | undefined
}

/** How many rows are selected, at least one, their sum per currency, and what to do with them. */
export function SelectionSummary({ selection, lineCount, view, onChange, decide }: SelectionSummaryProps) {
  const sums = useSums(selection, view.search)
  const count = countSelected(selection, lineCount ?? 0)
  const file = toSelectionFile(selection, view.search)
  return (
    <>
      <span className="font-medium text-ink">
        {selection.isAll && selection.rows.size === 0 ? `All ${formatCount(count)}` : formatCount(count)} selected
      </span>
      {sums.map(({ currency, amount }) => (
        <span key={currency} className="whitespace-nowrap text-ink tabular-nums">
          <ShortAmount amount={amount} currency={currency} /> <small className="text-ink3">{currency}</small>
        </span>
      ))}
      {lineCount !== null && count < lineCount && <SelectAll count={lineCount} onChange={onChange} />}
      {file !== null && (
        <a href={file} download className={buttonClass({ look: 'plain', size: 'small' })}>
          CSV
        </a>
      )}
      {decide && <DecideMenu decide={decide} />}
      <CopyLines selection={selection} count={count} view={view} />
      <ClearSelection onChange={onChange} />
    </>
  )
}

/** Those of another selection stay until there are newer ones. */
function useSums(selection: Selection<LineRow>, search: string): CurrencySum[] {
  const [sums, setSums] = useState<CurrencySum[]>([])
  useEffect(() => {
    const asked = new AbortController()
    sumSelected(selection, search, asked.signal).then(
      (found) => asked.signal.aborted || setSums(found),
      () => asked.signal.aborted || setSums([]),
    )
    return () => asked.abort()
  }, [selection, search])
  return sums
}
