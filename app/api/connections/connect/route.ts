import * as z from 'zod'
import { startConnect } from '#lib/auth/connect/connect-start.ts'
import { noSuchConnection, writeRoute } from '#lib/auth/doors/api-route.ts'
import { getConnection } from '#lib/connections/life/list-connections.ts'
import { landAt } from '#lib/http/outcome.ts'

/** `connection`: the one to reconnect; absent for a new account. */
const body = z.object({ connection: z.string().optional() })

export const POST = writeRoute(
  { may: 'connect-accounts', body },
  async ({ session, actor, body: { connection }, now }) => {
    const known = connection ? await getConnection(session.organizationId, connection) : null
    if (connection && known === null) return noSuchConnection()
    if (known?.state === 'disconnecting') return landAt('connections', { query: 'connect=disconnecting' })
    return startConnect(session, actor, known?.id ?? null, now)
  },
)
