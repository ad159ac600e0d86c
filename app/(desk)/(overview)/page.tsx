import type { Metadata } from 'next'
import { MonthClose } from '#components/close/month-close.tsx'
import { ConnectButton } from '#components/connections/connect-button.tsx'
import { listNeeds } from '#components/overview/list-needs.tsx'
import { NeedsYou } from '#components/overview/needs-you.tsx'
import { describeTime, parseOverviewView } from '#components/overview/overview-view.ts'
import { EmptyState } from '#components/states/empty-state.tsx'
import { toPeriodSubject } from '#components/talk/page-subjects.ts'
import { isAllowed } from '#lib/auth/permissions.ts'
import { deskPage } from '../desk-page.tsx'
import { TalkOfPage } from '../talk-of-page.tsx'
import { OverviewChart } from './overview-chart.tsx'
import { OverviewHeader } from './overview-header.tsx'
import { OverviewSide } from './overview-side.tsx'
import { readOverview } from './read-overview.ts'
import { TieOutSection } from './tie-out-section.tsx'
import { toOutside } from './to-outside.ts'

export const metadata: Metadata = { title: 'Overview' }

export default deskPage({ path: '/', may: 'read' }, async ({ session, searchParams }) => {
  const now = Date.now()
  const view = parseOverviewView(searchParams)
  const { scope } = view
  const { overview, proofs, connections, news, close } = await readOverview(session, now, scope)
  const accounts = connections.filter(({ id }) => scope.connections.length === 0 || scope.connections.includes(id))
  const period = overview.lineCount > 0 ? toPeriodSubject(scope, connections) : null
  const shown = { session, searchParams, view, overview, proofs, connections, now }
  return (
    <>
      <OverviewHeader {...shown} />
      {connections.length === 0 ? (
        <EmptyState
          title="Start with one account"
          action={<ConnectButton canConnect={isAllowed(session.role, 'connect-accounts')} />}
        >
          Connect a customer account of the travel platform. Every invoice and line is read, each line is proved to the
          last digit, and what does not add up is listed here.
        </EmptyState>
      ) : (
        <div className="overview">
          {period !== null && <TalkOfPage session={session} subject={period} about={`on ${describeTime(view)}`} />}
          <TieOutSection view={view} proofs={proofs} overview={overview} />
          {close !== null && <MonthClose row={close} />}
          <div className="overview-parts">
            <div className="overview-main">
              <NeedsYou
                needs={listNeeds({ ...overview, tieOut: proofs.scoped }, accounts, now, scope)}
                lineCount={overview.lineCount}
                outside={toOutside(view, overview, proofs)}
              />
              <OverviewChart {...shown} />
            </div>
            <OverviewSide news={news} coverage={proofs.coverage} connections={accounts} now={now} />
          </div>
        </div>
      )}
    </>
  )
})
