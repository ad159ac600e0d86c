import * as z from 'zod'
import { writeRoute } from '#lib/auth/doors/api-route.ts'
import { errorReply } from '#lib/http/replies.ts'
import { parseConnectionId } from '#lib/ids.ts'
import { noteSeen } from '#lib/talk/line-seen.ts'

const body = z.object({ connection: z.string().max(100), id: z.string().min(1).max(1000) })

/**
 * POST /api/talk/seen {connection, id}: the person looks at a line; the answer says who has, and
 * when, the latest first. As often as lines are opened, so it is counted as reading them.
 */
export const POST = writeRoute({ may: 'read', kind: 'rows', body }, async ({ session, body: { connection, id } }) => {
  const connectionId = parseConnectionId(connection)
  const line = connectionId === null ? null : { connectionId, lineId: id }
  const seen = line === null ? null : await noteSeen(session.organizationId, session.userId, line)
  return seen === null ? errorReply(404, 'not-found', 'There is no such line.') : { seen }
})
