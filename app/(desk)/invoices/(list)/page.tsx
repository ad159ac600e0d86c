import type { Metadata } from 'next'
import { ConnectButton } from '../../../../components/connections/connect-button.tsx'
import { TotalsStrip } from '../../../../components/figures/totals-strip.tsx'
import { FilterBar } from '../../../../components/filters/filter-bar.client.tsx'
import { describeScope } from '../../../../components/filters/filter-scope.ts'
import { PageHeader } from '../../../../components/frame/page-header.tsx'
import { InvoiceTable } from '../../../../components/invoices/invoice-table.client.tsx'
import { buttonClass } from '../../../../components/primitives/button.ts'
import { toListAddress } from '../../../../components/query/list-address.ts'
import { ListLink } from '../../../../components/query/navigate.client.tsx'
import { EmptyState } from '../../../../components/states/empty-state.tsx'
import { Freshness } from '../../../../components/text/freshness.tsx'
import { plural } from '../../../../components/text/plural.ts'
import { deskPage } from '../../../../lib/auth/desk-page.ts'
import { hasRole } from '../../../../lib/auth/model.ts'
import {
  DEFAULT_INVOICE_SORT,
  hasInvoiceFilters,
  type InvoiceQuery,
  parseInvoiceQuery,
  writeInvoiceQuery,
} from '../../../../lib/ledger/invoice-query.ts'
import { listInvoices } from '../../../../lib/ledger/list-invoices.ts'
import { listSyncTimes } from '../../../../lib/ledger/list-sync-times.ts'
import type { CurrencyTotal } from '../../../../lib/ledger/model.ts'
import { formatCount } from '../../../../lib/reconcile/format.ts'
import { readFilterOptions } from '../../read-filter-options.ts'

export const metadata: Metadata = { title: 'Invoices' }

export default deskPage({ path: '/invoices', role: 'viewer' }, async ({ session, searchParams }) => {
  const query = parseInvoiceQuery(searchParams)
  const { organizationId } = session
  const [list, options, syncTimes] = await Promise.all([
    listInvoices(organizationId, query),
    readFilterOptions(organizationId),
    listSyncTimes(organizationId),
  ])
  const isWhole = list.invoiceCount === list.allInvoiceCount
  const part = isWhole ? null : `${formatCount(list.invoiceCount)} of ${plural(list.allInvoiceCount, 'invoice')}`
  return (
    <>
      <PageHeader
        title="Invoices"
        scope={
          <>
            {describeScope(query, options, 'invoices')} · {part ?? plural(list.invoiceCount, 'invoice')}
            <Freshness syncedAt={syncTimes} now={Date.now()} />
          </>
        }
      />
      <FilterBar target={{ list: 'invoices', query }} options={options} searchHint="Search text or an exact total" />
      {list.invoiceCount > 0 ? (
        <>
          <TotalsStrip
            label="Totals of the invoices shown"
            scope={part}
            totals={list.totals.map((total) => toStripTotal(query, total))}
          />
          <InvoiceTable
            key={writeInvoiceQuery({ ...query, page: 1, sort: DEFAULT_INVOICE_SORT })}
            rows={list.rows}
            query={{ ...query, page: list.page }}
            invoiceCount={list.invoiceCount}
            pageCount={list.pageCount}
          />
        </>
      ) : hasInvoiceFilters(query) && list.allInvoiceCount > 0 ? (
        <EmptyState
          title="No invoice fits these filters"
          action={
            <ListLink href="/invoices" className={buttonClass()}>
              Show all invoices
            </ListLink>
          }
        >
          {plural(list.allInvoiceCount, 'invoice')} are there in all.
        </EmptyState>
      ) : (
        <EmptyState
          title="No invoices yet"
          action={<ConnectButton canConnect={hasRole(session.role, 'admin')} look="plain" />}
        >
          {syncTimes.length === 0
            ? 'Connect a customer account of the travel platform, and every invoice it was sent arrives here.'
            : 'An account is connected; its invoices appear here as soon as the first sync has read them.'}
        </EmptyState>
      )}
    </>
  )
})

function toStripTotal(query: InvoiceQuery, total: CurrencyTotal) {
  return {
    currency: total.currency,
    scope: plural(total.invoiceCount, 'invoice'),
    amount: total.totalAmount,
    findingCount: total.findingCount,
    href: toListAddress({ list: 'invoices', query: { ...query, currencies: [total.currency], page: 1 } }),
  }
}
