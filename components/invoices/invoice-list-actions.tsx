import { DownloadLink } from '#components/frame/download-link.tsx'
import type { InvoiceQuery } from '#lib/ledger/query/invoice-query.ts'
import { InvoiceColumnsButton } from './invoice-columns-button.client.tsx'

/** What can be done with the list of invoices: its columns, and its file. */
export function InvoiceListActions({ query }: { query: InvoiceQuery }) {
  return (
    <>
      <InvoiceColumnsButton chosen={query.columns} density={query.density} />
      <DownloadLink target={{ list: 'invoices', query }} />
    </>
  )
}
