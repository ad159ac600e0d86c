import { readRoute } from '#lib/auth/doors/api-route.ts'
import { errorReply } from '#lib/http/replies.ts'
import { parseConnectionId } from '#lib/ids.ts'
import { getLineReview } from '#lib/ledger/review/list-decisions.ts'

export const dynamic = 'force-dynamic'

/** GET /api/review/line?connection=&id=: where a line stands, and what was decided about it. */
export const GET = readRoute({ may: 'read', kind: 'rows' }, async ({ request, session }) => {
  const params = new URL(request.url).searchParams
  const connectionId = parseConnectionId(params.get('connection') ?? '')
  const id = params.get('id') ?? ''
  const review =
    connectionId === null || id.includes('\0') ? null : await getLineReview(session.organizationId, connectionId, id)
  return review ?? errorReply(404, 'not-found', 'There is no such line.')
})
