import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { toAccountName } from '#components/connections/connection-state.ts'
import { PageHeader } from '#components/frame/page-header.tsx'
import { CheckNow } from '#components/scim/check-now.client.tsx'
import { CheckProgress } from '#components/scim/check-progress.client.tsx'
import { EndpointTable } from '#components/scim/endpoint-table.tsx'
import { KeyPanel } from '#components/scim/key-panel.tsx'
import { ScimFindingsSections, WhatAKeyIsFor } from '#components/scim/scim-findings.tsx'
import { ScimNotices } from '#components/scim/scim-notices.tsx'
import { RelativeTime } from '#components/text/relative-time.client.tsx'
import { isAllowed } from '#lib/auth/permissions.ts'
import { getScimDiscovery } from '#lib/connections/scim/scim-discovery.ts'
import { toScimFindings } from '#lib/connections/scim/scim-findings.ts'
import { isDisconnected } from '#lib/connections/states.ts'
import { settings } from '#lib/env.ts'
import { readText } from '#lib/ledger/query/search-params.ts'
import { connectionPage } from '../../../desk-page.tsx'

export const metadata: Metadata = { title: 'SCIM discovery' }

export default connectionPage({ path: '/connections/[id]/scim', may: 'read' }, async (visit) => {
  const { session, connection, searchParams } = visit
  const search = readText(searchParams, 'q')
  const path = `/connections/${connection.id}/scim`
  const discovery = await getScimDiscovery(session.organizationId, connection.id)
  if (discovery === null) notFound()
  const now = Date.now()
  const isAdmin = isAllowed(session.role, 'connect-accounts')
  const isConfigured = (settings().partner?.scimBaseUrl ?? null) !== null
  const { key, check, endpoints } = discovery
  const isEnded = isDisconnected(connection.state)
  const isUnderWay = check !== null && check.finishedAt === null
  const findings = toScimFindings(endpoints)
  const { lastCheckedAt } = findings
  const isKnown = findings.config !== null || findings.types !== null || findings.core !== null
  return (
    <>
      <PageHeader
        parent={{ href: `/connections/${connection.id}`, name: <bdi>{toAccountName(connection)}</bdi> }}
        title="SCIM discovery"
        scope={
          <>
            <bdi dir="auto">{toAccountName(connection)}</bdi>
            {lastCheckedAt !== null && (
              <>
                {' · last checked '}
                <RelativeTime at={lastCheckedAt} now={now} />
              </>
            )}
          </>
        }
        actions={
          isAdmin &&
          isConfigured &&
          !isEnded &&
          key.kind === 'set' && <CheckNow connectionId={connection.id} isUnderWay={isUnderWay} />
        }
      />
      <div className="list-body flex min-h-0 flex-1 flex-col overflow-y-auto pb-8 max-md:overflow-visible">
        <ScimNotices
          outcome={readText(searchParams, 'key')}
          check={check}
          isEnded={isEnded}
          isConfigured={isConfigured}
        />
        {check !== null && isUnderWay && (
          <CheckProgress key={check.id} connectionId={connection.id} check={check} now={now} />
        )}
        {key.kind === 'none' && !isKnown && <WhatAKeyIsFor />}
        <KeyPanel connectionId={connection.id} keyState={key} canChange={isAdmin} isEnded={isEnded} now={now} />
        {lastCheckedAt !== null && <EndpointTable rows={findings.rows} now={now} />}
        {isKnown && (
          <ScimFindingsSections findings={findings} endpoints={endpoints} path={path} search={search} now={now} />
        )}
      </div>
    </>
  )
})
