import { apiRoute } from '../../../../../../lib/auth/api-route.ts'
import { errorReply } from '../../../../../../lib/auth/replies.ts'
import { getConnection } from '../../../../../../lib/connections/list-connections.ts'
import { listEvidence } from '../../../../../../lib/sync/keep-evidence.ts'

/** What the platform answered when it was not its interface, masked: `{evidence: Evidence[]}`, newest first. For admins. */
export const GET = apiRoute({ role: 'admin' }, async ({ session, params }) => {
  const connection = await getConnection(session.organizationId, params.id ?? '')
  if (connection === null) return errorReply(404, 'not-found', 'There is no such connection.')
  return { evidence: await listEvidence(session.organizationId, connection.id) }
})
