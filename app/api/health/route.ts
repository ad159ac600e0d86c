import { publicReadRoute } from '#lib/auth/doors/api-route.ts'
import { PRIVATE_HEADERS } from '#lib/http/replies.ts'

// without this a build would answer once and for all
export const dynamic = 'force-dynamic'

/**
 * For whoever restarts a process that hangs: 200 while this one answers at all. It asks nobody, not
 * even the database, since a restart would not bring that back. `/api/ready` does.
 */
export const GET = publicReadRoute({ because: 'supervisors have no session' }, async () =>
  Response.json({ status: 'ok' }, { headers: PRIVATE_HEADERS }),
)
