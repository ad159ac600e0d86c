import * as z from 'zod'
import { writeRoute } from '#lib/auth/doors/api-route.ts'
import { withdrawSignOff } from '#lib/ledger/close/sign-off.ts'
import { replyRefused, toSigner } from '../close-request.ts'

export const dynamic = 'force-dynamic'

/**
 * POST /api/close/withdraw {signOff}: takes back a sign-off of one's own, whatever one may do by
 * now. The database lets nobody else.
 */
export const POST = writeRoute(
  { may: 'read', body: z.object({ signOff: z.uuid() }) },
  async ({ session, actor, body }) => {
    const ended = await withdrawSignOff(session.organizationId, toSigner(session, actor), body.signOff)
    return ended.kind === 'refused' ? replyRefused(ended) : ended
  },
)
