import { toAccountName } from '#components/connections/connection-state.ts'
import { CompactCoverage } from '#components/coverage/compact-coverage.tsx'
import { RecentChanges } from '#components/history/recent-changes.tsx'
import { LastSyncs } from '#components/overview/last-syncs.tsx'
import type { AppSession } from '#lib/auth/model.ts'
import type { ConnectionSummary } from '#lib/connections/model.ts'
import { summarizeChanges } from '#lib/ledger/history/history-list.ts'
import type { CompactCoverage as CompactCoverageRow } from '#lib/ledger/model.ts'
import { type Day, dayOf } from '#lib/reconcile/day.ts'

type OverviewSideProps = {
  session: AppSession
  coverage: CompactCoverageRow[]
  connections: ConnectionSummary[]
  now: number
}

/** Beside the figures: the covered months, the platform's latest changes and the last syncs. */
export async function OverviewSide({ session, coverage, connections, now }: OverviewSideProps) {
  const since = toSince(session, now)
  const changes = await summarizeChanges(session.organizationId, since)
  return (
    <div className="flex flex-col gap-5 overflow-y-auto border-l px-5 py-3.5 max-lg:overflow-visible max-lg:border-l-0 max-md:px-4">
      <CompactCoverage
        rows={coverage}
        names={Object.fromEntries(connections.map((connection) => [connection.id, toAccountName(connection)]))}
      />
      <RecentChanges changes={changes} title={toTitle(session, since)} />
      <LastSyncs connections={connections} now={now} />
    </div>
  )
}

const DAY_MS = 86_400_000
/** For somebody who is here for the first time, and the most for somebody who was long away. */
const DAYS = { first: 7, most: 92 }

/** The day from which on changes are news to this person. */
function toSince({ lastVisit }: AppSession, now: number): Day {
  const oldest = dayOf(now - DAYS.most * DAY_MS)
  if (lastVisit === null) return dayOf(now - DAYS.first * DAY_MS)
  return lastVisit < oldest ? oldest : lastVisit
}

function toTitle({ lastVisit }: AppSession, since: Day): string {
  if (lastVisit === null) return `Last ${DAYS.first} days`
  return since === lastVisit ? 'Since you were last here' : `Last ${DAYS.most} days`
}
