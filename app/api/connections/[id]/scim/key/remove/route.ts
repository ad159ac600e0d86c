import { apiRoute } from '../../../../../../../lib/auth/api-route.ts'
import { errorReply, redirectTo } from '../../../../../../../lib/auth/replies.ts'
import { getScimStatus } from '../../../../../../../lib/connections/scim-discovery.ts'
import { removeScimKey } from '../../../../../../../lib/connections/scim-key.ts'

/** Destroys a connection's SCIM API key. What was learned with it stays. */
export const POST = apiRoute({ role: 'admin', mutation: true }, async ({ session, params }) => {
  const { organizationId, userId } = session
  const connectionId = params.id ?? ''
  if ((await getScimStatus(organizationId, connectionId)) === null)
    return errorReply(404, 'not-found', 'There is no such connection.')
  await removeScimKey(organizationId, connectionId, userId)
  return redirectTo(`/connections/${connectionId}/scim?key=removed`)
})
