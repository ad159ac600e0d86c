import { connectionWriteRoute } from '../../../../../../lib/auth/api-route.ts'
import { redirectTo } from '../../../../../../lib/auth/replies.ts'
import { reparseRejected } from '../../../../../../lib/sync/reparse-rejected.ts'

/** Reads the connection's rejected records again. A form is sent back to the page, a script gets `{accepted, stillRejected}`. */
export const POST = connectionWriteRoute({ role: 'finance' }, async ({ session, connection, isForm }) => {
  const done = await reparseRejected(session.organizationId, { connectionId: connection.id })
  return isForm ? redirectTo('/rejected') : done
})
