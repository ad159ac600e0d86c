import { z } from 'zod'
import { apiRoute } from '../../../../lib/auth/api-route.ts'
import { startConnect } from '../../../../lib/auth/connect-start.ts'
import { errorReply } from '../../../../lib/auth/replies.ts'
import { getConnection } from '../../../../lib/connections/list-connections.ts'

/** `connection`: the one to connect again; left out for a new account. */
const body = z.object({ connection: z.string().optional() })

export const POST = apiRoute(
  { role: 'admin', mutation: true, body },
  async ({ session, body: { connection }, now }) => {
    if (connection && (await getConnection(session.organizationId, connection)) === null)
      return errorReply(404, 'not-found', 'There is no such connection.')
    return startConnect(session, connection || null, now)
  },
)
