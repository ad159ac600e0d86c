import * as z from 'zod'
import { writeRoute } from '#lib/auth/doors/api-route.ts'
import { lockPeriod } from '#lib/ledger/close/lock-period.ts'
import { period, replyRefused, toSigner } from '../close-request.ts'

export const dynamic = 'force-dynamic'

/** POST /api/close/lock {scope}: locks an approved month. */
export const POST = writeRoute({ may: 'lock', body: z.object({ scope: period }) }, async ({ session, actor, body }) => {
  const ended = await lockPeriod(session.organizationId, toSigner(session, actor), body.scope)
  return ended.kind === 'refused' ? replyRefused(ended) : ended
})
