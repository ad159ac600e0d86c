import * as z from 'zod'
import { writeRoute } from '#lib/auth/doors/api-route.ts'
import { errorReply } from '#lib/http/replies.ts'
import { settleDispute } from '#lib/ledger/review/settle-dispute.ts'

export const dynamic = 'force-dynamic'

const body = z.object({
  /** `<connection id>~<line id>` */
  dispute: z.string().max(300),
  /** Exactly the lines of one proposal. */
  candidates: z.array(z.string().max(400)).min(1).max(12),
  note: z.string().max(2000).nullish(),
})

/** POST /api/review/settle: settles a dispute by the later lines that were proposed for it. */
export const POST = writeRoute({ may: 'decide', body }, async ({ session, actor, body }) => {
  const ended = await settleDispute(
    session.organizationId,
    { actor, name: session.name },
    { disputeId: body.dispute, candidateIds: body.candidates, note: body.note?.trim().replaceAll('\0', '') || null },
  )
  if (ended.kind === 'decided') return ended
  const text =
    ended.kind === 'answer-used'
      ? 'One of these lines answers another dispute by now.'
      : 'This is no longer proposed, and nothing was done. Look at the disputes again.'
  return errorReply(409, 'conflict', text)
})
