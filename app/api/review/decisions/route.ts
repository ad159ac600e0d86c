import { readRoute } from '#lib/auth/doors/api-route.ts'
import { errorReply } from '#lib/http/replies.ts'
import { getDecision, listDecisions } from '#lib/ledger/review/list-decisions.ts'

export const dynamic = 'force-dynamic'

/** GET /api/review/decisions?number=: one decision, and how far it is; else the latest ones. */
export const GET = readRoute({ may: 'read', kind: 'rows' }, async ({ request, session }) => {
  const number = new URL(request.url).searchParams.get('number')
  if (number === null) return { decisions: await listDecisions(session.organizationId) }
  return (
    (await getDecision(session.organizationId, number)) ?? errorReply(404, 'not-found', 'There is no such decision.')
  )
})
