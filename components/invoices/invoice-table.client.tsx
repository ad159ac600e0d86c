'use client'

import { useRouter } from 'next/navigation'
import { useMemo } from 'react'
import { toInvoiceAddress } from '#components/query/address.ts'
import { type ListView, toViewAddress } from '#components/query/view-address.ts'
import { ListTable } from '#components/table/list-table.client.tsx'
import { type PackedRows, unpackRows } from '#components/table/packed-rows.ts'
import type { InvoiceRow } from '#lib/ledger/model.ts'
import type { InvoiceSortKey } from '#lib/ledger/query/invoice-query.ts'
import { withoutColumns } from '#lib/ledger/query/list-columns.ts'
import { INVOICE_COLUMNS } from './invoice-columns.tsx'

type InvoiceTableProps = {
  rows: PackedRows<InvoiceRow>
  /** The place of the first row among all invoices. */
  place: number
  invoiceCount: number
  view: ListView<InvoiceSortKey>
}

const toRowKey = ({ connectionId, serialNumber }: InvoiceRow) => ({ connectionId, id: serialNumber })

/** Invoices as a table for keyboard use; a row opens the invoice's page. */
export function InvoiceTable(props: InvoiceTableProps) {
  // other filters are another list, other columns are not
  return <Invoices key={withoutColumns(toViewAddress('', props.view, { sort: props.view.ownSort }))} {...props} />
}

function Invoices({ rows, place, invoiceCount, view }: InvoiceTableProps) {
  const source = useMemo(() => ({ rows: unpackRows(rows), place, count: invoiceCount }), [rows, place, invoiceCount])
  const router = useRouter()
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
        onOpen={(row) => router.push(toInvoiceAddress(row.connectionId, row.serialNumber))}
      />
    </div>
  )
}
