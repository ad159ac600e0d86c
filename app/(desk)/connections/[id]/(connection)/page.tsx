import type { Metadata } from 'next'
import { ConnectionFacts } from '#components/connections/connection-facts.tsx'
import { ConnectionHeader } from '#components/connections/connection-header.tsx'
import { isBusy, toAccountName } from '#components/connections/connection-state.ts'
import { FollowConnection } from '#components/connections/follow-connection.client.tsx'
import { OtherAccountPanel } from '#components/connections/other-account-panel.tsx'
import { OutcomeBanner } from '#components/connections/outcome-banner.tsx'
import { toPlatformName } from '#components/connections/platform-name.ts'
import { ReadingSchedule } from '#components/sync/reading-schedule.tsx'
import { SyncPanel } from '#components/sync/sync-panel.client.tsx'
import { isAllowed } from '#lib/auth/permissions.ts'
import { toConnectOutcome } from '#lib/connections/connect-outcomes.ts'
import { getSyncActivity } from '#lib/connections/runs/sync-activity.ts'
import { isConnected } from '#lib/connections/states.ts'
import { settings } from '#lib/env.ts'
import { readValue } from '#lib/ledger/query/search-params.ts'
import { readTotalsOfConnection } from '#lib/ledger/read/line-totals.ts'
import { isUnderWay } from '#lib/reconcile/sync-run.ts'
import { connectionPage } from '../../../desk-page.tsx'
import { AccountSections } from './account-sections.tsx'
import { HistorySection } from './history-section.tsx'
import { StatusBanners } from './status-banners.tsx'
import { SyncsSection } from './syncs-section.tsx'

export const metadata: Metadata = { title: 'Connection' }

export default connectionPage({ path: '/connections/[id]', may: 'read' }, async (visit) => {
  const { session, connection, searchParams } = visit
  const { id, state, candidate } = connection
  const now = Date.now()
  const isAdmin = isAllowed(session.role, 'connect-accounts')
  const isLinked = isConnected(connection)
  const isAskedToDisconnect = readValue(searchParams, 'ask') === 'disconnect'
  const mistyped = isAskedToDisconnect ? readValue(searchParams, 'mistyped') : null
  const [activity, totals] = await Promise.all([
    isLinked ? getSyncActivity(session.organizationId, id) : null,
    isAdmin ? readTotalsOfConnection(session.organizationId, id) : [],
  ])
  const name = toAccountName(connection)
  const platform = toPlatformName(settings().partner?.name)
  const outcome = toConnectOutcome(readValue(searchParams, 'connect'))
  const seesEvidence = isAllowed(session.role, 'see-evidence')
  const part = { organizationId: session.organizationId, connection, now, isAdmin, seesEvidence }
  return (
    <>
      {isBusy(connection) && !(isLinked && isUnderWay(connection.run)) && <FollowConnection />}
      <ConnectionHeader {...part} {...{ platform, isAskedToDisconnect, mistyped, totals }} />
      <div className="list-body flex min-h-0 flex-1 flex-col overflow-y-auto pb-8 max-md:overflow-visible">
        {outcome && state === 'pending' && <OutcomeBanner outcome={outcome} canConnect={isAdmin} connectionId={id} />}
        {candidate?.status === 'other_account' && (
          <OtherAccountPanel connectionId={id} name={name} candidate={candidate} canConnect={isAdmin} now={now} />
        )}
        <StatusBanners {...part} platform={platform} />
        {activity && (
          <SyncPanel
            connectionId={id}
            name={name}
            activity={activity}
            nextSyncAt={connection.nextSyncAt}
            canSync={isAllowed(session.role, 'sync')}
          />
        )}
        {isLinked && <ReadingSchedule connection={connection} now={now} canSchedule={isAdmin} />}
        <ConnectionFacts connection={connection} now={now} />
        <div className="grid gap-x-10 gap-y-6 px-5 pt-5 max-md:px-4 lg:grid-cols-2">
          <div className="flex min-w-0 flex-col gap-6">
            <SyncsSection {...part} />
            <HistorySection {...part} before={readValue(searchParams, 'before') ?? undefined} />
          </div>
          <div className="flex min-w-0 flex-col gap-6">
            <AccountSections {...part} platform={platform} />
          </div>
        </div>
      </div>
    </>
  )
})
