import { LineActions } from '#components/lines/line-actions.tsx'
import type { LineQuery } from '#lib/ledger/query/line-query.ts'
import { OriginalDocument } from './original-document.client.tsx'

type InvoiceActionsProps = { connectionId: string; serialNumber: string; query: LineQuery }

/** An invoice's files, the platform's own and its lines, and the columns of these. */
export function InvoiceActions({ connectionId, serialNumber, query }: InvoiceActionsProps) {
  return (
    <>
      <OriginalDocument connectionId={connectionId} serialNumber={serialNumber} />
      <LineActions query={query} />
    </>
  )
}
