import { readRoute } from '#lib/auth/doors/api-route.ts'
import { openAuditFile } from '#lib/export/audit-csv.ts'
import { toCsvReply } from '#lib/export/csv-reply.ts'
import { parseAuditQuery } from '#lib/ledger/query/audit-query.ts'
import { toSearchParams } from '#lib/ledger/query/search-params.ts'

export const dynamic = 'force-dynamic'

/** GET /api/audit/export?<the audit page's query>: all entries that match, as CSV (docs/csv.md). */
export const GET = readRoute({ may: 'see-audit' }, async ({ request, session, actor, now }) => {
  const query = parseAuditQuery(toSearchParams(new URL(request.url).searchParams))
  return toCsvReply(request, 'audit', now, (signal) =>
    openAuditFile(session.organizationId, { userId: session.userId, signal }, query, actor),
  )
})
