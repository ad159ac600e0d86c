import { connectionWriteRoute } from '#lib/auth/doors/api-route.ts'
import { removeScimKey } from '#lib/connections/tokens/scim-key.ts'
import { landAt } from '#lib/http/outcome.ts'

/** Destroys a connection's SCIM API key. The results of earlier checks stay. */
export const POST = connectionWriteRoute({ may: 'connect-accounts' }, async ({ session, actor, connection }) => {
  await removeScimKey(session.organizationId, connection.id, actor)
  return landAt(['scim', connection.id], { query: 'key=removed' })
})
