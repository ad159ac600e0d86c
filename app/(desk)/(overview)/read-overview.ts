import type { AppSession } from '#lib/auth/model.ts'
import { listConnections } from '#lib/connections/life/list-connections.ts'
import { withTenantMoment } from '#lib/db/tenant.ts'
import { readCloseMonth, toCloseMonth } from '#lib/ledger/close/read-close.ts'
import type { LedgerScope } from '#lib/ledger/query/ledger-scope.ts'
import { getOverview } from '#lib/ledger/read/get-overview.ts'
import { getProofs } from '#lib/ledger/read/get-proofs.ts'
import { findPeriod } from '#lib/reconcile/period.ts'
import { readNews, toGoneSince } from './read-news.ts'

/** All that Overview shows, as of one moment: what a sync commits meanwhile is in none of it. */
export async function readOverview(session: AppSession, now: number, scope: LedgerScope) {
  const { organizationId } = session
  const month = toIssuedMonth(scope)
  const { proofs, overview, beside } = await withTenantMoment(organizationId, {
    proofs: (sql) => getProofs(organizationId, new Date(now), scope, sql),
    overview: (sql) => getOverview(organizationId, toGoneSince(session, now), scope, sql),
    // both together take no longer than the proofs
    beside: async (sql) => ({
      news: await readNews(session, now, scope.connections, sql),
      connections: await listConnections(organizationId, sql),
      closing: month === null ? null : await readCloseMonth(sql, organizationId, month),
    }),
  })
  const { closing, ...rest } = beside
  const close = closing && month !== null ? toCloseMonth(closing, { ...proofs.of, fallen: [] }, month) : null
  return { proofs, overview, ...rest, close }
}

/** The month of issue that the scope is, of everybody's invoices; null for any other scope. */
function toIssuedMonth({ from, to, dateField, connections, profiles, currencies }: LedgerScope): string | null {
  if (dateField !== 'issued' || connections.length + profiles.length + currencies.length > 0) return null
  const period = findPeriod(from, to)
  return period?.kind === 'month' ? period.from.slice(0, 7) : null
}
