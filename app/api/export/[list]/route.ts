import { readRoute } from '#lib/auth/doors/api-route.ts'
import { isCsvWanted, toCsvReply } from '#lib/export/csv-reply.ts'
import { CSV_FILES, isCsvFile } from '#lib/export/stream-csv.ts'
import { errorReply } from '#lib/http/replies.ts'
import { toSearchParams } from '#lib/ledger/query/search-params.ts'

export const dynamic = 'force-dynamic'

/**
 * GET /api/export/<list>?<the list page's query>: all records that match its filters, as CSV
 * (docs/csv.md). The audit tells who took which.
 */
export const GET = readRoute({ may: 'export', kind: 'export' }, async ({ request, session, actor, now }) => {
  const { pathname, searchParams } = new URL(request.url)
  const list = pathname.slice(pathname.lastIndexOf('/') + 1)
  if (!isCsvFile(list)) return errorReply(404, 'not-found', 'There is no such file.')
  const raw = toSearchParams(searchParams)
  if (!isCsvWanted(raw)) return errorReply(400, 'bad-request', 'The only file format is csv.')
  return toCsvReply(request, CSV_FILES[list].subjectOf(raw, now), now, (signal) =>
    CSV_FILES[list].streamOf(session, raw, actor, { signal, now }),
  )
})
