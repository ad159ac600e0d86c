import type { AppSession } from '#lib/auth/model.ts'
import { listConnections } from '#lib/connections/life/list-connections.ts'
import { withTenantMoment } from '#lib/db/tenant.ts'
import type { LedgerScope } from '#lib/ledger/query/ledger-scope.ts'
import { getOverview } from '#lib/ledger/read/get-overview.ts'
import { getProofs } from '#lib/ledger/read/get-proofs.ts'
import { readNews, toGoneSince } from './read-news.ts'

/** All that Overview shows, as of one moment: what a sync commits meanwhile is in none of it. */
export function readOverview(session: AppSession, now: number, scope: LedgerScope) {
  const { organizationId } = session
  return withTenantMoment(organizationId, {
    proofs: (sql) => getProofs(organizationId, new Date(now), scope, sql),
    overview: (sql) => getOverview(organizationId, toGoneSince(session, now), scope, sql),
    connections: (sql) => listConnections(organizationId, sql),
    news: (sql) => readNews(session, now, scope.connections, sql),
  })
}
