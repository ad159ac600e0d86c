import { apiRoute } from '../../../../../../lib/auth/api-route.ts'
import { errorReply, redirectTo } from '../../../../../../lib/auth/replies.ts'
import { getConnection } from '../../../../../../lib/connections/list-connections.ts'
import { requestSync } from '../../../../../../lib/sync/request-sync.ts'

/** Has everything read again, to compare it with what is held. A form is sent back to the page, a script gets `{runId, joined}`. */
export const POST = apiRoute({ role: 'finance', mutation: true }, async ({ session, params, isForm }) => {
  const { organizationId, userId } = session
  const connection = await getConnection(organizationId, params.id ?? '')
  if (connection === null) return errorReply(404, 'not-found', 'There is no such connection.')
  const page = `/connections/${connection.id}#sync`
  if (connection.state !== 'active' && connection.state !== 'refreshing')
    return isForm ? redirectTo(page) : errorReply(409, 'connection-needs-reconnect', 'Reconnect it first.')
  const wish = { trigger: 'manual', requestedBy: userId, kind: 'verification' } as const
  const requested = await requestSync(organizationId, connection.id, wish)
  return isForm ? redirectTo(page) : requested
})
