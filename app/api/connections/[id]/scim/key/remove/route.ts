import { connectionWriteRoute } from '../../../../../../../lib/auth/api-route.ts'
import { redirectTo } from '../../../../../../../lib/auth/replies.ts'
import { removeScimKey } from '../../../../../../../lib/connections/scim-key.ts'

/** Destroys a connection's SCIM API key. What was learned with it stays. */
export const POST = connectionWriteRoute({ role: 'admin' }, async ({ session, connection }) => {
  await removeScimKey(session.organizationId, connection.id, session.userId)
  return redirectTo(`/connections/${connection.id}/scim?key=removed`)
})
