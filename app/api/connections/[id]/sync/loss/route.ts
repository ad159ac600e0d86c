import { z } from 'zod'
import { apiRoute } from '../../../../../../lib/auth/api-route.ts'
import { errorReply, redirectTo } from '../../../../../../lib/auth/replies.ts'
import { getConnection } from '../../../../../../lib/connections/list-connections.ts'
import { decideLoss, getOpenLoss } from '../../../../../../lib/sync/decide-loss.ts'

/** The held loss of a connection with its figures: `{loss: MassLoss | null}`. */
export const GET = apiRoute({}, async ({ session, params }) => {
  const connection = await getConnection(session.organizationId, params.id ?? '')
  if (connection === null) return errorReply(404, 'not-found', 'There is no such connection.')
  return { loss: await getOpenLoss(session.organizationId, connection.id) }
})

const body = z.object({ runId: z.uuid(), decision: z.enum(['accepted', 'rejected']) })

/** An admin's decision on a held loss. A form is sent back to the page, a script gets `{decided}`. */
export const POST = apiRoute({ role: 'admin', mutation: true, body }, async ({ session, params, body, isForm }) => {
  const connection = await getConnection(session.organizationId, params.id ?? '')
  if (connection === null) return errorReply(404, 'not-found', 'There is no such connection.')
  const { runId, decision } = body
  const decided = await decideLoss(session.organizationId, connection.id, runId, { decision, userId: session.userId })
  if (isForm) return redirectTo(`/connections/${connection.id}`)
  return decided ? { decided } : errorReply(409, 'conflict', 'This has been decided already.')
})
