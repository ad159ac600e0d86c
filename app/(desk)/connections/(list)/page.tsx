import type { Metadata } from 'next'
import { ConnectButton } from '#components/connections/connect-button.tsx'
import { ConnectionPages } from '#components/connections/connection-pages.tsx'
import { SaysLinks } from '#components/connections/link-banner.tsx'
import { arrangeConnections } from '#components/connections/list/arrange-connections.ts'
import { OperatorNotices } from '#components/connections/operator-notices.tsx'
import { OutcomeBanner } from '#components/connections/outcome-banner.tsx'
import { PageHeader } from '#components/frame/page-header.tsx'
import { Link } from '#components/query/link.client.tsx'
import { EmptyState } from '#components/states/empty-state.tsx'
import { plural } from '#components/text/plural.ts'
import { isAllowed } from '#lib/auth/permissions.ts'
import { toConnectOutcome } from '#lib/connections/connect-outcomes.ts'
import { listOperatorNotices } from '#lib/connections/events/operator-notices.ts'
import { listConnections } from '#lib/connections/life/list-connections.ts'
import { parseConnectionQuery } from '#lib/ledger/query/connection-query.ts'
import { readValue } from '#lib/ledger/query/search-params.ts'
import { formatCount } from '#lib/reconcile/format.ts'
import { deskPage } from '../../desk-page.tsx'

export const metadata: Metadata = { title: 'Connections' }

export default deskPage({ path: '/connections', may: 'read' }, async ({ session, searchParams }) => {
  const query = parseConnectionQuery(searchParams)
  const connect = readValue(searchParams, 'connect')
  const canConnect = isAllowed(session.role, 'connect-accounts')
  const [connections, notices] = await Promise.all([
    listConnections(session.organizationId),
    canConnect ? listOperatorNotices(session.organizationId) : [],
  ])
  const now = Date.now()
  const arranged = arrangeConnections(connections, query, now)
  const rejectedCount = connections.reduce((sum, connection) => sum + connection.rejectedCount, 0)
  const again = connections.find(({ id }) => id === readValue(searchParams, 'connection'))
  // once they are there, nothing is on its way any more
  const isRead = again?.connectedAt && again.lastGoodSyncAt !== null && again.lastGoodSyncAt > again.connectedAt
  const outcome = connect === 'connected' && isRead ? null : toConnectOutcome(connect)
  const againId = again && connect !== 'connected' ? again.id : null
  return (
    <>
      <SaysLinks />
      <PageHeader
        title="Connections"
        scope={
          <>
            {plural(connections.length, 'account')} of the travel platform
            {arranged.counts.attention > 0 && ` · ${plural(arranged.counts.attention, 'needs', 'need')} attention`}
            {rejectedCount > 0 && ' · '}
            {rejectedCount > 0 && (
              <Link href="/rejected" className="text-accent underline underline-offset-2">
                {formatCount(rejectedCount)} not imported
              </Link>
            )}
          </>
        }
        actions={connections.length > 0 && canConnect && <ConnectButton canConnect />}
      />
      {outcome && <OutcomeBanner outcome={outcome} canConnect={canConnect} connectionId={againId} />}
      <OperatorNotices notices={notices} connections={connections} now={now} />
      {connections.length === 0 ? (
        <EmptyState title="No account connected yet" action={<ConnectButton canConnect={canConnect} />}>
          <p>
            Connecting leads to the travel platform, where an admin of the account allows Tieout to read its invoices.
            Nothing is changed there, and access can be revoked at any time.
          </p>
        </EmptyState>
      ) : (
        <ConnectionPages
          connections={connections}
          arranged={arranged}
          query={query}
          now={now}
          canSync={isAllowed(session.role, 'sync')}
          canConnect={canConnect}
        />
      )}
    </>
  )
})
