import * as z from 'zod'
import { writeRoute } from '#lib/auth/doors/api-route.ts'
import { done } from '#lib/http/outcome.ts'
import { errorReply } from '#lib/http/replies.ts'
import type { ConnectionId } from '#lib/ids.ts'
import { decideHabit } from '#lib/ledger/rules/change-rules.ts'
import { parseDecimal } from '#lib/reconcile/money.ts'
import { CONVENTIONS, isReasonOf } from '#lib/reconcile/reason.ts'
import { waitUntilJudged } from '../wait-until-judged.ts'

export const dynamic = 'force-dynamic'

/** No column holds a NUL. */
const text = z
  .string()
  .max(1000)
  .regex(/^[^\0]*$/)
const body = z
  .object({
    connection: z.uuid(),
    /** Left out where the lines do not say. */
    profile: text.optional(),
    mode: text.optional(),
    regime: text.optional(),
    rate: text,
    code: z.enum(['total', 'tax']),
    convention: z.enum(CONVENTIONS),
    decision: z.enum(['accepted', 'declined', 'withdrawn']),
  })
  .refine(({ code, convention }) => isReasonOf(code, convention))

/**
 * POST /api/checks/habit: accepts, declines or withdraws what an issuer's lines seem to follow
 * (docs/decisions/026-checks-and-habits.md).
 */
export const POST = writeRoute({ may: 'decide-habits', body }, async ({ session, actor, body }) => {
  const taxPercentage = parseDecimal(body.rate)
  if (taxPercentage === null) return errorReply(400, 'bad-request', 'The rate is not a number.')
  const habit = {
    connectionId: body.connection as ConnectionId,
    profileId: body.profile ?? null,
    invoiceMode: body.mode ?? null,
    taxRegime: body.regime ?? null,
    taxPercentage,
    code: body.code,
    convention: body.convention,
  }
  if (!(await decideHabit({ organizationId: session.organizationId, actor }, habit, body.decision)))
    return errorReply(404, 'not-found', 'There is no such connection.')
  await waitUntilJudged(session.organizationId)
  return done('habits', { decision: body.decision })
})
