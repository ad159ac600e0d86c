'use client'

import { useRouter } from 'next/navigation'
import { lazy, Suspense, useMemo, useState } from 'react'
import { useLater } from '#components/primitives/use-later.client.tsx'
import { toInvoiceAddress } from '#components/query/address.ts'
import { type ListView, toViewAddress } from '#components/query/view-address.ts'
import { useDecisions } from '#components/review/use-decisions.client.tsx'
import { ListTable } from '#components/table/list-table.client.tsx'
import { type PackedRows, unpackRows } from '#components/table/packed-rows.ts'
import { NOTHING_SELECTED, type Selection } from '#components/table/selection.ts'
import type { InvoiceRow } from '#lib/ledger/model.ts'
import type { InvoiceSortKey } from '#lib/ledger/query/invoice-query.ts'
import { withoutColumns } from '#lib/ledger/query/list-columns.ts'
import { writeRowKey } from '#lib/ledger/query/list-place.ts'
import { INVOICE_COLUMNS } from './invoice-columns.tsx'

type InvoiceTableProps = {
  rows: PackedRows<InvoiceRow>
  /** The place of the first row among all invoices. */
  place: number
  invoiceCount: number
  view: ListView<InvoiceSortKey>
  /** For whoever may decide about invoices. */
  mayDecide: boolean
}

/** Loads with the first list that people decide about. */
const InvoiceSelection = lazy(async () => ({
  default: (await import('./invoice-selection.client.tsx')).InvoiceSelection,
}))

/** Whether the list is one that people decide about, rather than one to look something up. */
function isOfReview(search: string): boolean {
  const params = new URLSearchParams(search)
  return params.has('review') || params.has('finding')
}

/** Accept, dispute, undo. */
const INVOICE_KEYS = 'adu'
const loadKeys = () => import('#components/review/decide-rows.ts')

const toRowKey = ({ connectionId, serialNumber }: InvoiceRow) => ({ connectionId, id: serialNumber })

/** Invoices as a table for keyboard use; a row opens the invoice's page. */
export function InvoiceTable(props: InvoiceTableProps) {
  // other filters are another list, other columns are not
  return <Invoices key={withoutColumns(toViewAddress('', props.view, { sort: props.view.ownSort }))} {...props} />
}

function Invoices({ rows, place, invoiceCount, view, mayDecide }: InvoiceTableProps) {
  const source = useMemo(() => ({ rows: unpackRows(rows), place, count: invoiceCount }), [rows, place, invoiceCount])
  const router = useRouter()
  const [selection, setSelection] = useState<Selection<InvoiceRow>>(NOTHING_SELECTED)
  const decisions = useDecisions(() => setSelection(NOTHING_SELECTED))
  // a list that somebody looks something up in has no rows to select
  const isSelectable = mayDecide && isOfReview(view.search)
  useLater(loadKeys)
  const invoices = {
    of: 'invoice' as const,
    selection,
    count: invoiceCount,
    search: view.search,
    toKey: (row: InvoiceRow) => writeRowKey(toRowKey(row)),
    made: decisions.made,
    onWish: decisions.onWish,
  }
  return (
    <div className="flex min-h-0 flex-1 max-md:flex-none">
      <ListTable
        label="Invoices"
        noun={['invoice', 'invoices']}
        columns={INVOICE_COLUMNS}
        source={source}
        toKey={toRowKey}
        view={view}
        toAddress={(place) => toViewAddress('/invoices', view, place)}
        toRowsAddress={({ page, beside }) => toViewAddress('/api/invoices/rows', view, { page, beside })}
        rowClass="invoice-row"
        listVerbs={async (row) => (await import('./invoice-menu.ts')).listInvoiceVerbs(row, view.search)}
        rowKeys={mayDecide ? INVOICE_KEYS : undefined}
        onRowKey={async (key, row) => void (await loadKeys()).pressDecisionKey(key, row, invoices)}
        selection={isSelectable ? { value: selection, onChange: setSelection } : undefined}
        summary={
          <div aria-live="polite" className="selection">
            {isSelectable && invoiceCount > 0 && (
              <Suspense>
                <InvoiceSelection
                  selection={selection}
                  invoiceCount={invoiceCount}
                  onChange={setSelection}
                  decide={async (kind) => (await loadKeys()).decideRows(kind, null, invoices)}
                />
              </Suspense>
            )}
            {decisions.slot}
          </div>
        }
        onOpen={(row) => router.push(toInvoiceAddress(row.connectionId, row.serialNumber))}
      />
    </div>
  )
}
