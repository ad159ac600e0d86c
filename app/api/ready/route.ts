import { publicReadRoute } from '#lib/auth/doors/api-route.ts'
import { isDatabaseUp } from '#lib/db/probe.ts'
import { PRIVATE_HEADERS } from '#lib/http/replies.ts'
import { isStopping } from '#lib/http/stopping.ts'

// without this a build would answer once and for all
export const dynamic = 'force-dynamic'

/**
 * For load balancers: 200 while the database answers, 503 while it does not or once the process is
 * told to stop. Reveals nothing else and is cheap.
 */
export const GET = publicReadRoute({ because: 'load balancers have no session' }, async () => {
  const isUp = !isStopping() && (await isDatabaseUp())
  return Response.json({ status: isUp ? 'ok' : 'unavailable' }, { status: isUp ? 200 : 503, headers: PRIVATE_HEADERS })
})
