import { apiRoute } from '../../../../../../lib/auth/api-route.ts'
import { errorReply, redirectTo } from '../../../../../../lib/auth/replies.ts'
import { getConnection } from '../../../../../../lib/connections/list-connections.ts'
import { controlRun } from '../../../../../../lib/sync/control-run.ts'

/** Lets a paused sync go on from its place. A form is sent back to the page, a script gets `{runId}`. */
export const POST = apiRoute({ role: 'finance', mutation: true }, async ({ session, params, isForm }) => {
  const connection = await getConnection(session.organizationId, params.id ?? '')
  if (connection === null) return errorReply(404, 'not-found', 'There is no such connection.')
  const changed = await controlRun(session.organizationId, connection.id, 'resume', session.userId)
  if (isForm) return redirectTo(`/connections/${connection.id}#sync`)
  return changed ?? errorReply(409, 'conflict', 'There is no sync that this applies to.')
})
