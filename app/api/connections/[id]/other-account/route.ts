import * as z from 'zod'
import { connectionWriteRoute } from '#lib/auth/doors/api-route.ts'
import { discardOtherAccount, keepAsNewConnection } from '#lib/connections/life/reconnect-choice.ts'
import { landAt } from '#lib/http/outcome.ts'

const body = z.object({ choice: z.enum(['keep', 'discard']) })

/** Settles a reconnect to another account: a new connection, or discarded. */
export const POST = connectionWriteRoute(
  { may: 'connect-accounts', body },
  async ({ session, actor, connection, body: { choice } }) => {
    const { organizationId } = session
    if (choice === 'discard') {
      await discardOtherAccount(organizationId, connection.id, actor)
      return landAt(['connection', connection.id])
    }
    const answer = await keepAsNewConnection(organizationId, connection.id, actor)
    return landAt(['connection', answer.kind === 'kept' ? answer.connectionId : connection.id])
  },
)
