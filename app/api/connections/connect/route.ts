import { z } from 'zod'
import { apiRoute } from '../../../../lib/auth/api-route.ts'
import { startConnect } from '../../../../lib/auth/connect-start.ts'
import { errorReply, redirectTo } from '../../../../lib/auth/replies.ts'
import { getConnection } from '../../../../lib/connections/list-connections.ts'

/** `connection`: the one to connect again; left out for a new account. */
const body = z.object({ connection: z.string().optional() })

export const POST = apiRoute(
  { role: 'admin', mutation: true, body },
  async ({ session, body: { connection }, now }) => {
    const known = connection ? await getConnection(session.organizationId, connection) : null
    if (connection && known === null) return errorReply(404, 'not-found', 'There is no such connection.')
    if (known?.state === 'disconnecting') return redirectTo('/connections?connect=disconnecting')
    return startConnect(session, connection || null, now)
  },
)
