import { readRoute } from '#lib/auth/doors/api-route.ts'
import { readAs } from '#lib/ledger/query/line-query.ts'
import { parseReviewQuery, toReviewedLines } from '#lib/ledger/query/review-query.ts'
import { toSearchParams } from '#lib/ledger/query/search-params.ts'
import { listLineRows } from '#lib/ledger/read/list-lines.ts'

export const dynamic = 'force-dynamic'

/** GET /api/review/rows?<the review's query>: one page of its lines, without counts and totals. */
export const GET = readRoute({ may: 'read', kind: 'rows' }, async ({ request, session }) => {
  const query = parseReviewQuery(toSearchParams(new URL(request.url).searchParams))
  return { rows: await listLineRows(session.organizationId, readAs(session, toReviewedLines(query, session.userId))) }
})
