import { readRoute } from '#lib/auth/doors/api-route.ts'
import { parseLineQuery, readAs, toSearchParams } from '#lib/ledger/query/line-query.ts'
import { listLineRows } from '#lib/ledger/read/list-lines.ts'

export const dynamic = 'force-dynamic'

/** GET /api/lines/rows?<the lines page's query>: one page of lines, without counts and totals. */
export const GET = readRoute({ may: 'read', kind: 'rows' }, async ({ request, session }) => {
  const query = readAs(session, parseLineQuery(toSearchParams(new URL(request.url).searchParams)))
  return { rows: await listLineRows(session.organizationId, query) }
})
