import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { PageHeader } from '#components/frame/page-header.tsx'
import { RecordHistory } from '#components/history/record-history.tsx'
import { InvoiceActions } from '#components/invoices/invoice-actions.tsx'
import { InvoiceFacts, InvoiceFigures, InvoiceScope } from '#components/invoices/invoice-facts.tsx'
import { InvoiceTalk } from '#components/invoices/invoice-talk.tsx'
import { NoLinesYet } from '#components/invoices/no-lines-yet.tsx'
import { RemovedLines } from '#components/invoices/removed-lines.tsx'
import { LineTable } from '#components/lines/line-table.client.tsx'
import { RawPayload } from '#components/lines/raw-payload.client.tsx'
import { toInvoiceAddress } from '#components/query/address.ts'
import { toListView } from '#components/query/list-view.ts'
import { packRows } from '#components/table/packed-rows.ts'
import { InvoiceTieOut } from '#components/tie-out/invoice-tie-out.tsx'
import { unescapePart } from '#lib/auth/doors/desk-page.ts'
import { isAllowed } from '#lib/auth/permissions.ts'
import { DEFAULT_LINE_QUERY, parseLineQuery, writeLineQuery } from '#lib/ledger/query/line-query.ts'
import { getInvoice } from '#lib/ledger/read/get-invoice.ts'
import { listLines } from '#lib/ledger/read/list-lines.ts'
import { deskPage } from '../../../desk-page.tsx'
import { InvoiceSignOff } from './invoice-sign-off.tsx'

export async function generateMetadata({ params }: { params: Promise<{ serial: string }> }): Promise<Metadata> {
  return { title: unescapePart((await params).serial) }
}

export default deskPage({ path: '/invoices/[connection]/[serial]', may: 'read' }, async (visit) => {
  const { connection, serial: serialNumber } = visit.params
  // the address gives only order, looks and place; the page itself selects the lines
  const { sort, columns, density, page, beside, pageSize } = parseLineQuery(visit.searchParams)
  const paging = { ...DEFAULT_LINE_QUERY, sort, columns, density, page, beside, pageSize }
  const query = { ...paging, connections: [connection], invoices: [serialNumber] }
  const invoice = await getInvoice(visit.session.organizationId, connection, serialNumber)
  if (invoice === null) notFound()
  const list = await listLines(visit.session.organizationId, query)
  const mayDecide = isAllowed(visit.session.role, 'decide')
  return (
    <>
      <PageHeader
        hasRows={list.lineCount > 0}
        parent={{ href: '/invoices', name: 'Invoices' }}
        title={<bdi>{serialNumber}</bdi>}
        scope={<InvoiceScope invoice={invoice} />}
        actions={<InvoiceActions connectionId={connection} serialNumber={serialNumber} query={query} />}
      />
      <div className="flex min-h-0 flex-1 flex-col overflow-y-auto max-md:overflow-visible">
        <InvoiceFigures invoice={invoice} />
        <div className="grid shrink-0 grid-cols-[minmax(260px,340px)_minmax(0,1fr)] gap-x-10 gap-y-5 px-5 py-4 max-lg:grid-cols-1 max-md:px-4">
          <div className="min-w-0">
            <InvoiceFacts invoice={invoice} />
            <RecordHistory history={invoice.history} firstSeenAt={invoice.firstSeenAt} now={Date.now()} />
            <InvoiceTalk invoice={invoice} />
          </div>
          <section className="min-w-0 max-lg:order-first">
            <InvoiceTieOut {...{ invoice, mayDecide }} signOff={<InvoiceSignOff {...{ visit, invoice }} />} />
            <RawPayload text={invoice.rawText} isOpen={false} />
          </section>
        </div>
        <RemovedLines invoice={invoice} now={Date.now()} />
        {list.lineCount === 0 ? (
          invoice.missingSince === null && <NoLinesYet />
        ) : (
          <div className="flex min-h-[420px] flex-1 flex-col border-t">
            <LineTable
              rows={packRows(list.rows)}
              view={toListView('lines', query)}
              lineCount={list.lineCount}
              place={list.place}
              path={toInvoiceAddress(connection, serialNumber)}
              ownSearch={writeLineQuery(paging)}
              isOf="invoice"
              decidedOn={mayDecide ? writeLineQuery(query) : undefined}
            />
          </div>
        )}
      </div>
    </>
  )
})
