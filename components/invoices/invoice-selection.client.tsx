'use client'

import { DecideMenu } from '#components/review/decide-menu.client.tsx'
import { countSelected, type Selection } from '#components/table/selection.ts'
import { ClearSelection, SelectAll } from '#components/table/selection-buttons.tsx'
import type { InvoiceRow } from '#lib/ledger/model.ts'
import { formatCount } from '#lib/reconcile/format.ts'
import type { ReviewVerb } from '#lib/reconcile/review/review-state.ts'

type InvoiceSelectionProps = {
  selection: Selection<InvoiceRow>
  invoiceCount: number
  onChange: (selection: Selection<InvoiceRow>) => void
  decide: (kind: ReviewVerb) => void
}

/** How many invoices are selected, and what can be decided about them. */
export function InvoiceSelection({ selection, invoiceCount, onChange, decide }: InvoiceSelectionProps) {
  const count = countSelected(selection, invoiceCount)
  return (
    <>
      {count > 0 && <span className="font-medium text-ink">{formatCount(count)} selected</span>}
      {count < invoiceCount && <SelectAll count={invoiceCount} onChange={onChange} />}
      {count > 0 && (
        <>
          <DecideMenu decide={decide} />
          <ClearSelection onChange={onChange} />
        </>
      )}
    </>
  )
}
