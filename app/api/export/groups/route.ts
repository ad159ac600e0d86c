import { readRoute } from '../../../../lib/auth/api-route.ts'
import { errorReply } from '../../../../lib/auth/replies.ts'
import { isCsvWanted, toCsvReply } from '../../../../lib/export/csv-reply.ts'
import { streamGroupsCsv } from '../../../../lib/export/stream-csv.ts'
import { parseGroupQuery, toSearchParams } from '../../../../lib/ledger/group-query.ts'

export const dynamic = 'force-dynamic'

/** GET /api/export/groups?<the groups page's query>: every innermost group per currency, as CSV (docs/csv.md). */
export const GET = readRoute({ role: 'viewer' }, async ({ request, session, now }) => {
  const raw = toSearchParams(new URL(request.url).searchParams)
  if (!isCsvWanted(raw)) return errorReply(400, 'bad-request', 'Files come in one format: csv.')
  return toCsvReply(request, 'groups', now, (signal) =>
    streamGroupsCsv(session.organizationId, { userId: session.userId, signal }, parseGroupQuery(raw)),
  )
})
