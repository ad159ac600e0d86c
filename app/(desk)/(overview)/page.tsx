import type { Metadata } from 'next'
import { ConnectButton } from '#components/connections/connect-button.tsx'
import { listNeeds } from '#components/overview/list-needs.tsx'
import { MonthChart } from '#components/overview/month-chart.tsx'
import { NeedsYou } from '#components/overview/needs-you.tsx'
import { isWhole, parseOverviewView } from '#components/overview/overview-view.ts'
import { EmptyState } from '#components/states/empty-state.tsx'
import { isAllowed } from '#lib/auth/permissions.ts'
import { listConnections } from '#lib/connections/life/list-connections.ts'
import { getOverview } from '#lib/ledger/read/get-overview.ts'
import { getProofs } from '#lib/ledger/read/get-proofs.ts'
import { deskPage } from '../desk-page.tsx'
import { OverviewHeader } from './overview-header.tsx'
import { OverviewSide } from './overview-side.tsx'
import { readNews, toGoneSince } from './read-news.ts'
import { TieOutSection } from './tie-out-section.tsx'

export const metadata: Metadata = { title: 'Overview' }

export default deskPage({ path: '/', may: 'read' }, async ({ session, searchParams }) => {
  const now = Date.now()
  const view = parseOverviewView(searchParams)
  const [overview, proofs, connections, news] = await Promise.all([
    getOverview(session.organizationId, toGoneSince(session, now)),
    getProofs(session.organizationId, new Date(now), isWhole(view) ? null : view),
    listConnections(session.organizationId),
    readNews(session, now),
  ])
  const { tieOut, coverage } = proofs
  const needs = listNeeds({ ...overview, tieOut }, connections, now)
  const currencies = overview.currencies.map((total) => total.currency)
  // the currency with the most lines first: people look at it most
  const main = [...overview.currencies].sort((a, b) => b.lineCount - a.lineCount)[0]?.currency
  const currency = currencies.find((each) => each === view.currency) ?? main
  return (
    <>
      <OverviewHeader
        view={view}
        overview={overview}
        connections={connections}
        now={now}
        fiscalMonth={session.fiscalMonth}
      />
      {connections.length === 0 ? (
        <EmptyState
          title="Start with one account"
          action={<ConnectButton canConnect={isAllowed(session.role, 'connect-accounts')} />}
        >
          Connect a customer account of the travel platform. Every invoice and line is read, each line is proved to the
          last digit, and what does not add up is listed here.
        </EmptyState>
      ) : (
        <>
          <TieOutSection view={view} proofs={proofs} connections={connections} />
          <div className="grid min-h-0 flex-1 grid-cols-[minmax(0,1fr)_360px] max-lg:grid-cols-1 max-lg:overflow-y-auto max-md:flex-none max-md:overflow-visible">
            <div className="min-w-0 overflow-y-auto px-5 py-3.5 max-lg:overflow-visible max-md:px-4">
              <NeedsYou needs={needs} lineCount={overview.lineCount} />
              {currency !== undefined && (
                <MonthChart months={overview.months} currencies={currencies} currency={currency} view={view} />
              )}
            </div>
            <OverviewSide news={news} coverage={coverage} connections={connections} now={now} />
          </div>
        </>
      )}
    </>
  )
})
