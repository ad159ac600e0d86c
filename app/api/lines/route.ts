import { readRoute } from '#lib/auth/doors/api-route.ts'
import { parseLineQuery, readAs, toSearchParams } from '#lib/ledger/query/line-query.ts'
import { listLines } from '#lib/ledger/read/list-lines.ts'

export const dynamic = 'force-dynamic'

/**
 * GET /api/lines?<the lines page's query>: one page of lines with the totals of all that match its
 * filters.
 */
export const GET = readRoute({ may: 'read', kind: 'summary' }, async ({ request, session }) => {
  const query = readAs(session, parseLineQuery(toSearchParams(new URL(request.url).searchParams)))
  return listLines(session.organizationId, query)
})
