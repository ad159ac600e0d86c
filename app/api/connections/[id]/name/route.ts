import * as z from 'zod'
import { connectionWriteRoute } from '#lib/auth/doors/api-route.ts'
import { lineOr } from '#lib/auth/one-line.ts'
import { nameAccount } from '#lib/connections/life/name-account.ts'
import { done } from '#lib/http/outcome.ts'

/** Without a name, the account is called as the platform calls it. */
const body = z.object({ name: lineOr(null) })

/** POST /api/connections/<id>/name {name}: the organization's own name for the account. */
export const POST = connectionWriteRoute(
  { may: 'connect-accounts', body },
  async ({ session, actor, connection, body }) => {
    await nameAccount(session.organizationId, connection.id, body.name, actor)
    return done(['connection', connection.id], body)
  },
)
