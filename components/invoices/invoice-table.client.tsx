'use client'

import { useRouter } from 'next/navigation'
import { useMemo } from 'react'
import { toDecimalRoom } from '#components/figures/aligned-amount.tsx'
import { toInvoiceAddress } from '#components/query/address.ts'
import { readListQuery, toListAddress } from '#components/query/list-address.ts'
import { ListTable } from '#components/table/list-table.client.tsx'
import { type PackedRows, unpackRows } from '#components/table/packed-rows.ts'
import type { InvoiceRow } from '#lib/ledger/model.ts'
import { INVOICE_COLUMNS } from './invoice-columns.tsx'

type InvoiceTableProps = { rows: PackedRows<InvoiceRow>; search: string; invoiceCount: number; pageCount: number }

/** Invoices as a table for keyboard use; a row opens the invoice's page. */
export function InvoiceTable({ rows: packed, search, invoiceCount, pageCount }: InvoiceTableProps) {
  const { query } = useMemo(() => readListQuery('invoices', search), [search])
  const router = useRouter()
  const rows = useMemo(() => unpackRows(packed), [packed])
  const room = useMemo(() => toDecimalRoom(rows.map((row) => ({ amount: row.total, currency: row.currency }))), [rows])
  return (
    <div className="flex min-h-0 flex-1 max-md:flex-none">
      <ListTable
        label="Invoices"
        noun={['invoice', 'invoices']}
        columns={INVOICE_COLUMNS}
        rows={rows}
        amountRoom={room}
        toKey={(row) => `${row.connectionId}~${row.serialNumber}`}
        query={query}
        toAddress={(change) => toListAddress({ list: 'invoices', query: { ...query, ...change } })}
        rowCount={invoiceCount}
        pageCount={pageCount}
        rowClass="invoice-row"
        onOpen={(row) => router.push(toInvoiceAddress(row.connectionId, row.serialNumber))}
      />
    </div>
  )
}
