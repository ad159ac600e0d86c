import * as z from 'zod'
import { writeRoute } from '#lib/auth/doors/api-route.ts'
import { errorReply } from '#lib/http/replies.ts'
import { withdrawSent } from '#lib/ledger/review/sent-letters.ts'

export const dynamic = 'force-dynamic'

const body = z.object({ letter: z.uuid() })

/**
 * POST /api/review/letter/withdraw {letter}: it was not sent after all; the mark stays, as taken
 * back.
 */
export const POST = writeRoute({ may: 'decide', body }, async ({ session, actor, body: { letter } }) =>
  (await withdrawSent(session.organizationId, { actor, name: session.name }, letter))
    ? { withdrawn: letter }
    : errorReply(409, 'conflict', 'There is no such mark, or it is taken back already.'),
)
