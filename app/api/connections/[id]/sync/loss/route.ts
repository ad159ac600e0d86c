import * as z from 'zod'
import { connectionReadRoute, connectionWriteRoute } from '#lib/auth/api-route.ts'
import { errorReply, redirectTo } from '#lib/http/replies.ts'
import { decideLoss, getOpenLoss } from '#lib/sync/losses/decide-loss.ts'

/** A connection's held loss with its figures: `{loss: MassLoss | null}`. */
export const GET = connectionReadRoute({ may: 'read' }, async ({ session, connection }) => ({
  loss: await getOpenLoss(session.organizationId, connection.id),
}))

const body = z.object({ runId: z.uuid(), decision: z.enum(['accepted', 'rejected']) })

/**
 * An admin's decision on a held loss. A form is sent back to the page, a script gets `{decided}`.
 */
export const POST = connectionWriteRoute(
  { may: 'decide-losses', body },
  async ({ session, actor, connection, body, isForm }) => {
    const { runId, decision } = body
    const decided = await decideLoss(session.organizationId, connection.id, runId, { decision, actor })
    if (isForm) return redirectTo(`/connections/${connection.id}`)
    return decided ? { decided } : errorReply(409, 'conflict', 'This has already been decided.')
  },
)
