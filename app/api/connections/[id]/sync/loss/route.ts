import * as z from 'zod'
import { connectionReadRoute, connectionWriteRoute } from '#lib/auth/doors/api-route.ts'
import { done, refused } from '#lib/http/outcome.ts'
import { decideLoss, getOpenLoss, type LossOutcome } from '#lib/sync/losses/decide-loss.ts'
import { previewLoss } from '#lib/sync/losses/preview-loss.ts'
import { takeBackLoss } from '#lib/sync/losses/take-back-loss.ts'

/**
 * A connection's held loss with its figures, and what accepting it would remove as of now, with the
 * hash of that set: `{loss: MassLoss | null, preview: LossFigures | null}`.
 */
export const GET = connectionReadRoute({ may: 'read' }, async ({ session, connection }) => {
  const loss = await getOpenLoss(session.organizationId, connection.id)
  return { loss, preview: loss && (await previewLoss(session.organizationId, connection.id, loss.runId)) }
})

/** A person may separate thousands; a script sends a number. */
const typed = z.union([z.number().int().nonnegative(), z.string().max(40)])
const runId = z.uuid()
const body = z.discriminatedUnion('decision', [
  z.object({ decision: z.literal('rejected'), runId }),
  z.object({ decision: z.literal('taken-back'), runId }),
  z.object({
    decision: z.literal('accepted'),
    runId,
    /** The hash of the set that was seen. */
    set: z.string().regex(/^[0-9a-f]{64}$/),
    /** The count, above 20. */
    typed: typed.optional(),
    /** Lines and invoices that were seen, for the page that says what has changed. */
    seen: z
      .string()
      .regex(/^\d{1,9}-\d{1,9}$/)
      .optional(),
  }),
])

/** An admin's decision on a held loss, or taking an accepted one back: `{decided}`. */
export const POST = connectionWriteRoute(
  { may: 'decide-losses', body },
  async ({ session, actor, connection, body }) => {
    const { organizationId } = session
    const outcome = await decide()
    if (outcome === 'decided') return done(['connection', connection.id], { decided: true })
    const text = REFUSALS[outcome]
    if (outcome === 'over') return refused(['connection', connection.id], 'conflict', text, {})
    const query =
      outcome === 'changed'
        ? `seen=${'seen' in body ? (body.seen ?? '') : ''}`
        : `typed=${encodeURIComponent('typed' in body ? `${body.typed ?? ''}` : '')}`
    return refused(['loss', connection.id], 'conflict', text, { query })

    async function decide(): Promise<LossOutcome> {
      if (body.decision === 'taken-back')
        return (await takeBackLoss(organizationId, connection.id, body.runId, actor)) ? 'decided' : 'over'
      if (body.decision === 'rejected')
        return decideLoss(organizationId, connection.id, body.runId, { decision: 'rejected', actor })
      const { set, typed = '' } = body
      // as somebody copies it from a page: grouped as they read figures
      const digits = `${typed}`.replace(/[\s.,'\u2019]/g, '')
      const count = /^\d+$/.test(digits) ? Number(digits) : null
      return decideLoss(organizationId, connection.id, body.runId, { decision: 'accepted', set, typed: count, actor })
    }
  },
)

const REFUSALS: Record<Exclude<LossOutcome, 'decided'>, string> = {
  over: 'This has already been decided.',
  changed: 'This has changed since it was previewed, and nothing was accepted. Look at it again.',
  'not-typed': 'So many are accepted with their number typed, and nothing was accepted.',
}
