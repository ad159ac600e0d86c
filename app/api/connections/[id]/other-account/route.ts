import { z } from 'zod'
import { apiRoute } from '../../../../../lib/auth/api-route.ts'
import { errorReply, redirectTo } from '../../../../../lib/auth/replies.ts'
import { getConnection } from '../../../../../lib/connections/list-connections.ts'
import { discardOtherAccount, keepAsNewConnection } from '../../../../../lib/connections/reconnect-choice.ts'

const body = z.object({ choice: z.enum(['keep', 'discard']) })

/** What becomes of the other account for which access was given: a connection of its own, or forgotten. */
export const POST = apiRoute({ role: 'admin', mutation: true, body }, async ({ session, params, body: { choice } }) => {
  const { organizationId, userId } = session
  const connection = await getConnection(organizationId, params.id ?? '')
  if (connection === null) return errorReply(404, 'not-found', 'There is no such connection.')
  if (choice === 'discard') {
    await discardOtherAccount(organizationId, connection.id, userId)
    return redirectTo(`/connections/${connection.id}`)
  }
  const answer = await keepAsNewConnection(organizationId, connection.id, userId)
  return redirectTo(`/connections/${answer.kind === 'kept' ? answer.connectionId : connection.id}`)
})
