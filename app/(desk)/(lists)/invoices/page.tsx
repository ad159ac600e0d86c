import type { Metadata } from 'next'
import { TotalsStrip } from '#components/figures/totals-strip.tsx'
import { describeScope } from '#components/filters/filter-scope.ts'
import { ListFilters } from '#components/filters/list-filters.tsx'
import { PageHeader } from '#components/frame/page-header.tsx'
import { InvoiceListActions } from '#components/invoices/invoice-list-actions.tsx'
import { InvoiceTable } from '#components/invoices/invoice-table.client.tsx'
import { NoInvoices } from '#components/invoices/no-invoices.tsx'
import { toListView } from '#components/query/list-view.ts'
import { packRows } from '#components/table/packed-rows.ts'
import { Freshness } from '#components/text/freshness.tsx'
import { plural } from '#components/text/plural.ts'
import { isAllowed } from '#lib/auth/permissions.ts'
import { parseInvoiceQuery } from '#lib/ledger/query/invoice-query.ts'
import { listInvoices } from '#lib/ledger/read/list-invoices.ts'
import { formatCount } from '#lib/reconcile/format.ts'
import { deskPage } from '../../desk-page.tsx'
import { ListBars } from '../../desk-scope.tsx'
import { readFilterOptions } from '../../read-filter-options.ts'
import { readListFrame } from '../../read-list-frame.ts'

export const metadata: Metadata = { title: 'Invoices' }

export default deskPage({ path: '/invoices', may: 'read' }, async ({ session, searchParams }) => {
  const query = parseInvoiceQuery(searchParams)
  const target = { list: 'invoices', query } as const
  const [list, options, { syncTimes, views }] = await Promise.all([
    listInvoices(session.organizationId, query),
    readFilterOptions(session),
    readListFrame(session, 'invoices'),
  ])
  // what is gone is none of all that the platform has
  const { invoiceCount, allInvoiceCount } = list
  const isWhole = query.goneOnly || invoiceCount === allInvoiceCount
  const part = isWhole ? null : `${formatCount(invoiceCount)} of ${plural(allInvoiceCount, 'invoice')}`
  return (
    <>
      <PageHeader
        hasRows={invoiceCount > 0}
        title="Invoices"
        scope={
          <>
            {describeScope(query, options, 'invoices')} · {part ?? plural(invoiceCount, 'invoice')}
            <Freshness syncedAt={syncTimes} now={Date.now()} />
          </>
        }
        actions={invoiceCount > 0 && <InvoiceListActions query={query} />}
      />
      <ListBars target={target} session={session} searchParams={searchParams} views={views} options={options} />
      <ListFilters
        target={target}
        options={options}
        searchParams={searchParams}
        searchHint="Search text or an exact total"
      />
      {invoiceCount > 0 ? (
        <TotalsStrip label="Totals of the invoices shown" scope={part} totals={list.totals} target={target} />
      ) : (
        <NoInvoices
          allCount={allInvoiceCount}
          hasAccount={syncTimes.length > 0}
          canConnect={isAllowed(session.role, 'connect-accounts')}
        />
      )}
      {/* stays with what was done last, and the step back, when its last invoice is decided */}
      {(invoiceCount > 0 || query.reviews.length > 0) && (
        <div className={invoiceCount === 0 ? 'list-empty' : 'contents'}>
          <InvoiceTable
            rows={packRows(list.rows)}
            view={toListView('invoices', query)}
            invoiceCount={invoiceCount}
            place={list.place}
            mayDecide={isAllowed(session.role, 'decide')}
          />
        </div>
      )}
    </>
  )
})
