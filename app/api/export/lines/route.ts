import { readRoute } from '../../../../lib/auth/api-route.ts'
import { errorReply } from '../../../../lib/auth/replies.ts'
import { isCsvWanted, toCsvReply } from '../../../../lib/export/csv-reply.ts'
import { streamLinesCsv } from '../../../../lib/export/stream-csv.ts'
import { parseLineQuery, toSearchParams } from '../../../../lib/ledger/line-query.ts'

export const dynamic = 'force-dynamic'

/** GET /api/export/lines?<the lines page's query>: all lines that the page's filters leave, as CSV (docs/csv.md). */
export const GET = readRoute({ role: 'viewer' }, async ({ request, session, now }) => {
  const raw = toSearchParams(new URL(request.url).searchParams)
  if (!isCsvWanted(raw)) return errorReply(400, 'bad-request', 'Files come in one format: csv.')
  return toCsvReply(request, 'lines', now, (signal) =>
    streamLinesCsv(session.organizationId, { userId: session.userId, signal }, parseLineQuery(raw)),
  )
})
