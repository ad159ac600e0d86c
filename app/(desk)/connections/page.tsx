import type { Metadata } from 'next'
import Link from 'next/link'
import { ConnectButton } from '../../../components/connections/connect-button.tsx'
import { ConnectionTable } from '../../../components/connections/connection-table.client.tsx'
import { OutcomeBanner } from '../../../components/connections/outcome-banner.tsx'
import { PageHeader } from '../../../components/frame/page-header.tsx'
import { EmptyState } from '../../../components/states/empty-state.tsx'
import { plural } from '../../../components/text/plural.ts'
import { hasRole } from '../../../lib/auth/model.ts'
import { requirePageSession } from '../../../lib/auth/page-session.ts'
import { toConnectOutcome } from '../../../lib/connections/connect-outcomes.ts'
import { listConnections } from '../../../lib/connections/list-connections.ts'

export const metadata: Metadata = { title: 'Connections' }

type ConnectionsParams = { connect?: string | string[] }

export default async function ConnectionsPage({ searchParams }: { searchParams: Promise<ConnectionsParams> }) {
  const { connect } = await searchParams
  const session = await requirePageSession('/connections')
  const connections = await listConnections(session.organizationId)
  const outcome = toConnectOutcome(connect)
  const canConnect = hasRole(session.role, 'admin')
  const rejectedCount = connections.reduce((count, connection) => count + connection.rejectedCount, 0)
  return (
    <>
      <PageHeader
        title="Connections"
        scope={
          <>
            {plural(connections.length, 'account')} of the travel platform
            {rejectedCount > 0 && (
              <>
                {' · '}
                <Link href="/rejected" className="text-accent underline underline-offset-2">
                  {plural(rejectedCount, 'rejected line')}
                </Link>
              </>
            )}
          </>
        }
        actions={connections.length > 0 && canConnect && <ConnectButton canConnect />}
      />
      {outcome && <OutcomeBanner outcome={outcome} />}
      {connections.length === 0 ? (
        <EmptyState title="No account connected yet" action={<ConnectButton canConnect={canConnect} />}>
          <p>
            Connecting leads to the travel platform, where an admin of the account allows this program to read its
            invoices. Nothing is changed there, and it can be withdrawn at any time.
          </p>
        </EmptyState>
      ) : (
        <ConnectionTable
          connections={connections}
          now={Date.now()}
          canSync={hasRole(session.role, 'finance')}
          canConnect={canConnect}
        />
      )}
    </>
  )
}
