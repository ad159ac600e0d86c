import { apiRoute } from '../../../../../lib/auth/api-route.ts'
import { errorReply, redirectTo } from '../../../../../lib/auth/replies.ts'
import { getConnection } from '../../../../../lib/connections/list-connections.ts'
import { getSyncActivity } from '../../../../../lib/connections/sync-activity.ts'
import { requestSync } from '../../../../../lib/sync/request-sync.ts'

/** What goes on with the connection's newest sync: `SyncActivity`. */
export const GET = apiRoute({}, async ({ session, params }) => {
  const activity = await getSyncActivity(session.organizationId, params.id ?? '')
  return activity ?? errorReply(404, 'not-found', 'There is no such connection.')
})

/** "Sync now": queues a sync or joins the one under way. A form is sent back to the page, a script gets `{runId, joined}`. */
export const POST = apiRoute({ role: 'finance', mutation: true }, async ({ session, params, isForm }) => {
  const { organizationId, userId } = session
  const connection = await getConnection(organizationId, params.id ?? '')
  if (connection === null) return errorReply(404, 'not-found', 'There is no such connection.')
  const page = `/connections/${connection.id}#sync`
  if (connection.state !== 'active' && connection.state !== 'refreshing')
    return isForm ? redirectTo(page) : errorReply(409, 'connection-needs-reconnect', 'Reconnect it first.')
  const requested = await requestSync(organizationId, connection.id, { trigger: 'manual', requestedBy: userId })
  return isForm ? redirectTo(page) : requested
})
