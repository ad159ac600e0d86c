import { toAccountName } from '#components/connections/connection-state.ts'
import { CompactCoverage } from '#components/coverage/compact-coverage.tsx'
import { RecentChanges } from '#components/history/recent-changes.tsx'
import { LastSyncs } from '#components/overview/last-syncs.tsx'
import type { ConnectionSummary } from '#lib/connections/model.ts'
import type { CompactCoverage as CompactCoverageRow } from '#lib/ledger/model.ts'
import type { News } from './read-news.ts'

type OverviewSideProps = {
  news: News
  coverage: CompactCoverageRow[]
  /** The accounts of the scope. */
  connections: ConnectionSummary[]
  now: number
}

/** Beside the figures: the covered months, the platform's latest changes and the last syncs. */
export function OverviewSide({ news, coverage, connections, now }: OverviewSideProps) {
  const names = Object.fromEntries(connections.map((connection) => [connection.id, toAccountName(connection)]))
  return (
    <div className="overview-side">
      <CompactCoverage rows={coverage.filter(({ connectionId }) => connectionId in names)} names={names} />
      <RecentChanges {...news} />
      <LastSyncs connections={connections} now={now} />
    </div>
  )
}
