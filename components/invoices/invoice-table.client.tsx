'use client'

import { useRouter } from 'next/navigation'
import { useMemo } from 'react'
import { toInvoiceAddress } from '#components/query/address.ts'
import { readListQuery, toListAddress } from '#components/query/list-address.ts'
import { ListTable } from '#components/table/list-table.client.tsx'
import { readRows, toPlace } from '#components/table/missing-rows.ts'
import { type PackedRows, unpackRows } from '#components/table/packed-rows.ts'
import type { InvoiceRow } from '#lib/ledger/model.ts'
import { DEFAULT_INVOICE_SORT, writeInvoiceQuery } from '#lib/ledger/query/invoice-query.ts'
import { FIRST_PAGE } from '#lib/ledger/query/list-query.ts'
import { INVOICE_COLUMNS } from './invoice-columns.tsx'

type InvoiceTableProps = {
  rows: PackedRows<InvoiceRow>
  /** The place of the first row among all invoices. */
  place: number
  invoiceCount: number
  /** The list's query, as in an address. */
  search: string
}

const toRowKey = ({ connectionId, serialNumber }: InvoiceRow) => ({ connectionId, id: serialNumber })

/** Invoices as a table for keyboard use; a row opens the invoice's page. */
export function InvoiceTable(props: InvoiceTableProps) {
  const { query } = readListQuery('invoices', props.search)
  // other filters are another list
  return <Invoices key={writeInvoiceQuery({ ...query, ...FIRST_PAGE, sort: DEFAULT_INVOICE_SORT })} {...props} />
}

function Invoices({ rows, place, invoiceCount, search }: InvoiceTableProps) {
  const { query } = useMemo(() => readListQuery('invoices', search), [search])
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
        query={query}
        toAddress={(change) => toListAddress({ list: 'invoices', query: { ...query, ...change } })}
        read={(ask) => readRows<InvoiceRow>(`/api/invoices/rows?${writeInvoiceQuery({ ...query, ...toPlace(ask) })}`)}
        rowClass="invoice-row"
        onOpen={(row) => router.push(toInvoiceAddress(row.connectionId, row.serialNumber))}
      />
    </div>
  )
}
