import { connectionWriteRoute } from '#lib/auth/doors/api-route.ts'
import { done } from '#lib/http/outcome.ts'
import { jsonReply } from '#lib/http/replies.ts'
import { requestReparse } from '#lib/sync/reading/reparse-wishes.ts'

/** Queues the connection's rejected records for a worker to read again: 202, `{joined}`. */
export const POST = connectionWriteRoute({ may: 'sync' }, async ({ session, actor, connection }) =>
  done('rejected', jsonReply(await requestReparse(session.organizationId, connection.id, actor), 202)),
)
