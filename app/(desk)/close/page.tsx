import type { Metadata } from 'next'
import { CloseHeader } from '#components/close/close-header.tsx'
import { CloseLegend } from '#components/close/close-legend.tsx'
import { CloseNext } from '#components/close/close-next.tsx'
import { ClosePanel } from '#components/close/close-panel.tsx'
import { CloseTable } from '#components/close/close-table.tsx'
import { CloseVerbs } from '#components/close/close-verbs.tsx'
import { toActionFacts } from '#components/close/list-actions.ts'
import { toAccountName } from '#components/connections/connection-state.ts'
import { toAddress } from '#components/query/address.ts'
import { EmptyState } from '#components/states/empty-state.tsx'
import { listUsers } from '#lib/auth/people/users.ts'
import { isAllowed } from '#lib/auth/permissions.ts'
import { listConnections } from '#lib/connections/life/list-connections.ts'
import { parseCloseQuery, writeCloseQuery } from '#lib/ledger/close/close-query.ts'
import { CLOSE_MONTHS, findLastMonth, readClosePage } from '#lib/ledger/close/read-close.ts'
import { deskPage } from '../desk-page.tsx'

export const metadata: Metadata = { title: 'Close' }

export default deskPage({ path: '/close', may: 'read' }, async ({ session, searchParams }) => {
  const now = new Date()
  const { organizationId, userId, role } = session
  const query = parseCloseQuery(searchParams)
  const until = findLastMonth(query, now)
  const [{ table, period, next, fourEyes }, connections, users] = await Promise.all([
    readClosePage(organizationId, { until, months: CLOSE_MONTHS, chosen: query.chosen }),
    listConnections(organizationId),
    listUsers(organizationId, now),
  ])
  const names = new Map(connections.map((connection) => [connection.id as string, toAccountName(connection)]))
  const people = users.filter(({ isDisabled }) => !isDisabled).map(({ userId: id, ...user }) => ({ id, ...user }))
  const acting = { id: userId, role, people }
  return (
    <>
      <CloseHeader
        query={query}
        until={until}
        accounts={connections}
        now={now.getTime()}
        mayExport={isAllowed(role, 'export')}
      />
      {table.columns.length === 0 ? (
        <EmptyState title="Nothing to close yet">
          Months with invoices are listed here, by profile, once an account was read.
        </EmptyState>
      ) : (
        <div className="close-page">
          <div className="close-main">
            <CloseTable table={table} query={query} accounts={connections.length > 1 ? names : null} />
            <CloseLegend />
          </div>
          <aside aria-label="Chosen month" className="close-aside" data-chosen={period ? '' : undefined}>
            {period !== null && (
              <ClosePanel
                period={period}
                accountName={names.get(period.scope.connectionId) ?? ''}
                closedHref={toAddress('/close', writeCloseQuery({ ...query, chosen: null }))}
                acting={acting}
                now={now.toISOString()}
                actions={<CloseVerbs facts={toActionFacts(period, fourEyes)} acting={acting} people={people} />}
              />
            )}
            <CloseNext {...{ next, people, fourEyes, query }} ownId={userId} />
          </aside>
        </div>
      )}
    </>
  )
})
