import { DownloadLink } from '#components/frame/download-link.tsx'
import type { LineQuery } from '#lib/ledger/query/line-query.ts'
import { OriginalDocument } from './original-document.client.tsx'

type InvoiceActionsProps = { connectionId: string; serialNumber: string; query: LineQuery }

/** An invoice's files: the platform's own, and its lines. */
export function InvoiceActions({ connectionId, serialNumber, query }: InvoiceActionsProps) {
  return (
    <>
      <OriginalDocument connectionId={connectionId} serialNumber={serialNumber} />
      <DownloadLink target={{ list: 'lines', query }} />
    </>
  )
}
