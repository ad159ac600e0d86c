import { readRoute } from '#lib/auth/doors/api-route.ts'
import { listAnswers } from '#lib/ledger/review/list-answers.ts'

export const dynamic = 'force-dynamic'

/** GET /api/review/answers: open disputes, and the later lines that answer them. */
export const GET = readRoute({ may: 'read', kind: 'rows' }, async ({ session }) => ({
  disputes: await listAnswers(session.organizationId),
}))
