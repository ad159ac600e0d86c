import { readRoute } from '#lib/auth/doors/api-route.ts'
import { readAs } from '#lib/ledger/query/line-query.ts'
import { SUMMARY_QUERY, toSearchParams } from '#lib/ledger/query/summary-query.ts'
import { summarizeLines } from '#lib/ledger/read/summarize-lines.ts'

export const dynamic = 'force-dynamic'

/**
 * GET /api/summaries?by=month,vertical&<the lines page's filters>: what the lines add up to, by one
 * to three keys and currency.
 */
export const GET = readRoute({ may: 'read', kind: 'summary' }, async ({ request, session }) => {
  const query = readAs(session, SUMMARY_QUERY.parse(toSearchParams(new URL(request.url).searchParams)))
  return summarizeLines(session.organizationId, query)
})
