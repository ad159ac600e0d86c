import { readRoute } from '#lib/auth/doors/api-route.ts'
import { listNews } from '#lib/ledger/review/list-news.ts'

export const dynamic = 'force-dynamic'

/** GET /api/review/news?after=: what others decided after that decision, and whether any fell. */
export const GET = readRoute({ may: 'read', kind: 'rows' }, async ({ request, session }) => {
  const after = new URL(request.url).searchParams.get('after') ?? ''
  return listNews(session.organizationId, session.userId, /^\d{1,15}$/.test(after) ? after : null)
})
