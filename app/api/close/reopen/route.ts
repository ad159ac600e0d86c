import * as z from 'zod'
import { writeRoute } from '#lib/auth/doors/api-route.ts'
import { reopenPeriod } from '#lib/ledger/close/lock-period.ts'
import { lockNumber, replyRefused, toSigner, words } from '../close-request.ts'

export const dynamic = 'force-dynamic'

/** POST /api/close/reopen {lock, reason}: opens a locked month again, as a new generation. */
export const POST = writeRoute(
  { may: 'reopen', body: z.object({ lock: lockNumber, reason: words }) },
  async ({ session, actor, body }) => {
    const ended = await reopenPeriod(session.organizationId, toSigner(session, actor), body.lock, body.reason)
    return ended.kind === 'refused' ? replyRefused(ended) : ended
  },
)
