import { readRoute } from '#lib/auth/doors/api-route.ts'
import { parseGroupQuery, toSearchParams } from '#lib/ledger/query/group-query.ts'
import { readAs } from '#lib/ledger/query/line-query.ts'
import { listGroups } from '#lib/ledger/read/list-groups.ts'

export const dynamic = 'force-dynamic'

/**
 * GET /api/groups?<the groups page's query>: one page of the first level's groups with their
 * totals.
 */
export const GET = readRoute({ may: 'read', kind: 'summary' }, async ({ request, session }) => {
  const query = readAs(session, parseGroupQuery(toSearchParams(new URL(request.url).searchParams)))
  return listGroups(session.organizationId, query)
})
