import { apiRoute } from '../../../../../lib/auth/api-route.ts'
import { errorReply, redirectTo } from '../../../../../lib/auth/replies.ts'
import { getConnection } from '../../../../../lib/connections/list-connections.ts'
import { requestSync } from '../../../../../lib/sync/request-sync.ts'

/** "Sync now": queues a sync or joins the one under way. A form is sent back to the page, a script gets `{runId, joined}`. */
export const POST = apiRoute({ role: 'finance', mutation: true }, async ({ session, params, isForm }) => {
  const { organizationId, userId } = session
  const connection = await getConnection(organizationId, params.id ?? '')
  if (connection === null) return errorReply(404, 'not-found', 'There is no such connection.')
  if (connection.state !== 'active' && connection.state !== 'refreshing')
    return isForm ? redirectTo('/connections') : errorReply(409, 'connection-needs-reconnect', 'Reconnect it first.')
  const requested = await requestSync(organizationId, connection.id, { trigger: 'manual', requestedBy: userId })
  return isForm ? redirectTo('/connections') : requested
})
