import { apiRoute } from '../../../../../lib/auth/api-route.ts'
import { errorReply } from '../../../../../lib/auth/replies.ts'
import { getScimStatus } from '../../../../../lib/connections/scim-discovery.ts'

/** Whether there is a key, and how far the check is; never the key, never an answer. */
export const GET = apiRoute({}, async ({ session, params }) => {
  const status = await getScimStatus(session.organizationId, params.id ?? '')
  return status ?? errorReply(404, 'not-found', 'There is no such connection.')
})
