import { connectionWriteRoute } from '#lib/auth/api-route.ts'
import { jsonReply, redirectTo } from '#lib/http/replies.ts'
import { requestReparse } from '#lib/sync/reading/reparse-wishes.ts'

/**
 * Queues the connection's rejected records for a worker to read again. A form is sent back to the
 * page, a script gets 202 and `{joined}`.
 */
export const POST = connectionWriteRoute({ may: 'sync' }, async ({ session, actor, connection, isForm }) => {
  const requested = await requestReparse(session.organizationId, connection.id, actor)
  return isForm ? redirectTo('/rejected') : jsonReply(requested, 202)
})
