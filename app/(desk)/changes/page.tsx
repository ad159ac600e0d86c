import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { toAccountName } from '#components/connections/connection-state.ts'
import { PageHeader } from '#components/frame/page-header.tsx'
import { BridgeTable } from '#components/history/bridge-table.tsx'
import { ChangeFilters } from '#components/history/change-filters.tsx'
import { ChangePages } from '#components/history/change-pages.tsx'
import { BRIDGE_PATH, toBridgeOfChanges } from '#components/history/moments/bridge-links.ts'
import { buttonClass } from '#components/primitives/button.ts'
import { toAddress } from '#components/query/address.ts'
import { Link } from '#components/query/link.client.tsx'
import { toSearch } from '#components/scope/scope.ts'
import { Freshness } from '#components/text/freshness.tsx'
import { listConnections } from '#lib/connections/life/list-connections.ts'
import { listChanges } from '#lib/ledger/history/history-list.ts'
import { DEFAULT_CHANGE_DAYS, parseChangeQuery } from '#lib/ledger/query/history-query.ts'
import { isInstant } from '#lib/ledger/query/moments/moment-query.ts'
import { readValue } from '#lib/ledger/query/search-params.ts'
import { formatDay } from '#lib/reconcile/format.ts'
import { deskPage } from '../desk-page.tsx'
import { DeskScope } from '../desk-scope.tsx'

export const metadata: Metadata = { title: 'Changes' }

export default deskPage({ path: '/changes', may: 'read' }, async ({ session, searchParams }) => {
  // between two moments: what any other page links to
  if (isInstant(readValue(searchParams, 'from'))) redirect(toAddress(BRIDGE_PATH, toSearch(searchParams).toString()))
  const query = parseChangeQuery(searchParams)
  const [list, connections] = await Promise.all([
    listChanges(session.organizationId, query, new Date()),
    listConnections(session.organizationId),
  ])
  const now = Date.now()
  return (
    <>
      <PageHeader
        title="Changes"
        scope={
          <>
            Changes the platform made to invoices and lines after import,{' '}
            {query.since === null ? `in the last ${DEFAULT_CHANGE_DAYS} days` : `since ${formatDay(query.since)}`}
            <Freshness syncedAt={connections.map((connection) => connection.lastGoodSyncAt)} now={now} />
          </>
        }
        actions={
          <Link href={toBridgeOfChanges(query)} className={buttonClass({ look: 'plain' })}>
            Bridge…
          </Link>
        }
      />
      <DeskScope
        path="/changes"
        session={session}
        searchParams={searchParams}
        accounts={connections.map((connection) => ({ id: connection.id, name: toAccountName(connection) }))}
        profiles={[]}
        currencies={[]}
      >
        <p className="text-[12px] text-ink3">Changes of all days of issue and expense are listed</p>
      </DeskScope>
      <ChangeFilters
        query={query}
        connections={connections.map((connection) => ({ id: connection.id, name: toAccountName(connection) }))}
        now={now}
      />
      <BridgeTable bridges={list.bridges} since={list.since} query={query} />
      <ChangePages list={list} query={query} withConnection={connections.length > 1} now={now} />
    </>
  )
})
