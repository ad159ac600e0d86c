import * as z from 'zod'
import { writeRoute } from '#lib/auth/doors/api-route.ts'
import { done, refused } from '#lib/http/outcome.ts'
import { stopDecision } from '#lib/ledger/review/stop-decision.ts'

export const dynamic = 'force-dynamic'

const body = z.object({ number: z.string().regex(/^[1-9]\d{0,14}$/) })

/** POST /api/review/stop {number}: leaves what of a large decision is not applied yet. */
export const POST = writeRoute({ may: 'decide', body }, async ({ session, actor, body: { number } }) =>
  (await stopDecision(session.organizationId, actor, number))
    ? done('decisions', { stopped: number })
    : refused('decisions', 'conflict', 'Nothing of this decision is under way.'),
)
