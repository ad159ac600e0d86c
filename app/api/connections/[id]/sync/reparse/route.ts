import { apiRoute } from '../../../../../../lib/auth/api-route.ts'
import { errorReply, redirectTo } from '../../../../../../lib/auth/replies.ts'
import { getConnection } from '../../../../../../lib/connections/list-connections.ts'
import { reparseRejected } from '../../../../../../lib/sync/reparse-rejected.ts'

/** Reads the connection's rejected records again. A form is sent back to the page, a script gets `{accepted, stillRejected}`. */
export const POST = apiRoute({ role: 'finance', mutation: true }, async ({ session, params, isForm }) => {
  const connection = await getConnection(session.organizationId, params.id ?? '')
  if (connection === null) return errorReply(404, 'not-found', 'There is no such connection.')
  const done = await reparseRejected(session.organizationId, { connectionId: connection.id })
  return isForm ? redirectTo('/rejected') : done
})
