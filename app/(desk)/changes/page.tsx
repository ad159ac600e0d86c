import type { Metadata } from 'next'
import Link from 'next/link'
import { toAccountName } from '../../../components/connections/connection-state.ts'
import { PageHeader } from '../../../components/frame/page-header.tsx'
import { ChangeFilters, toChangesAddress } from '../../../components/history/change-filters.tsx'
import { ChangeGroup } from '../../../components/history/change-group.tsx'
import { ChangeTotals } from '../../../components/history/change-totals.tsx'
import { buttonClass } from '../../../components/primitives/button.ts'
import { ListLink } from '../../../components/query/navigate.client.tsx'
import { EmptyState } from '../../../components/states/empty-state.tsx'
import { Pager } from '../../../components/table/pager.tsx'
import { Freshness } from '../../../components/text/freshness.tsx'
import { plural } from '../../../components/text/plural.ts'
import { deskPage } from '../../../lib/auth/desk-page.ts'
import { listConnections } from '../../../lib/connections/list-connections.ts'
import { CHANGE_GROUPS_PER_PAGE, listChanges } from '../../../lib/ledger/history-list.ts'
import { DEFAULT_CHANGE_DAYS, DEFAULT_CHANGE_QUERY, parseChangeQuery } from '../../../lib/ledger/history-query.ts'
import { formatDay } from '../../../lib/reconcile/format.ts'

export const metadata: Metadata = { title: 'Changes' }

export default deskPage({ path: '/changes', role: 'viewer' }, async ({ session, searchParams }) => {
  const query = parseChangeQuery(searchParams)
  const [list, connections] = await Promise.all([
    listChanges(session.organizationId, query, new Date()),
    listConnections(session.organizationId),
  ])
  const now = Date.now()
  const isFiltered = toChangesAddress({ ...query, page: 1 }) !== toChangesAddress(DEFAULT_CHANGE_QUERY)
  return (
    <>
      <PageHeader
        title="Changes"
        scope={
          <>
            What the platform changed in invoices and lines that were here already,{' '}
            {query.since === null ? `in the last ${DEFAULT_CHANGE_DAYS} days` : `since ${formatDay(query.since)}`}
            <Freshness syncedAt={connections.map((connection) => connection.lastGoodSyncAt)} now={now} />
          </>
        }
      />
      <ChangeFilters
        query={query}
        connections={connections.map((connection) => ({ id: connection.id, name: toAccountName(connection) }))}
        now={now}
      />
      <ChangeTotals list={list} />
      {list.groups.length > 0 ? (
        <>
          <div className="list-body min-h-0 flex-1 overflow-y-auto max-md:flex-none max-md:overflow-visible">
            {list.groups.map((group) => (
              <ChangeGroup
                key={`${group.connectionId} ${group.serialNumber} ${group.runId} ${group.seenAt}`}
                group={group}
                withConnection={connections.length > 1}
                now={now}
              />
            ))}
          </div>
          <footer className="flex min-h-9 shrink-0 items-center justify-end border-t bg-panel px-5 py-1 max-md:px-4 print:hidden">
            <Pager
              page={query.page}
              pageCount={list.pageCount}
              pageSize={CHANGE_GROUPS_PER_PAGE}
              rowCount={list.groupCount}
              noun={list.groupCount === 1 ? 'changed invoice' : 'changed invoices'}
              toAddress={(page) => toChangesAddress({ ...query, page })}
            />
          </footer>
        </>
      ) : (
        <EmptyState
          title={isFiltered ? 'No change fits these filters' : 'Nothing changed'}
          action={
            isFiltered ? (
              <ListLink href="/changes" className={buttonClass({ look: 'primary' })}>
                Show the last {plural(DEFAULT_CHANGE_DAYS, 'day')}
              </ListLink>
            ) : (
              <Link href="/lines" className={buttonClass()}>
                Lines
              </Link>
            )
          }
        >
          When the platform corrects an invoice or a line, what it said before is kept, and the difference is listed
          here.
        </EmptyState>
      )}
    </>
  )
})
