import { readRoute } from '#lib/auth/doors/api-route.ts'
import { errorReply } from '#lib/http/replies.ts'
import { getLine } from '#lib/ledger/read/get-line.ts'

export const dynamic = 'force-dynamic'

/**
 * GET /api/lines/detail?connection=&id=: one line with its proof and its raw record; 404 when we
 * hold none.
 */
export const GET = readRoute({ may: 'read', kind: 'rows' }, async ({ request, session }) => {
  const params = new URL(request.url).searchParams
  const line = await getLine(session.organizationId, params.get('connection') ?? '', params.get('id') ?? '')
  return line ?? errorReply(404, 'not-found', 'There is no such line.')
})
