import type { AppSession } from '#lib/auth/model.ts'
import { listConnections } from '#lib/connections/life/list-connections.ts'
import { withTenantMoment } from '#lib/db/tenant.ts'
import type { LedgerScope } from '#lib/ledger/query/ledger-scope.ts'
import { getOverview } from '#lib/ledger/read/get-overview.ts'
import { getProofs } from '#lib/ledger/read/get-proofs.ts'
import { readNews, toGoneSince } from './read-news.ts'

/** All that Overview shows, as of one moment: what a sync commits meanwhile is in none of it. */
export async function readOverview(session: AppSession, now: number, scope: LedgerScope) {
  const { organizationId } = session
  const { proofs, overview, beside } = await withTenantMoment(organizationId, {
    proofs: (sql) => getProofs(organizationId, new Date(now), scope, sql),
    overview: (sql) => getOverview(organizationId, toGoneSince(session, now), scope, sql),
    // both together take no longer than the proofs
    beside: async (sql) => ({
      news: await readNews(session, now, scope.connections, sql),
      connections: await listConnections(organizationId, sql),
    }),
  })
  return { proofs, overview, ...beside }
}
