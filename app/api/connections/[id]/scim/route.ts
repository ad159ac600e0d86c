import { connectionReadRoute } from '#lib/auth/doors/api-route.ts'
import { getScimStatus } from '#lib/connections/scim/scim-discovery.ts'

/** Whether there is a key, and how far the check is; never the key, never an answer. */
export const GET = connectionReadRoute({ may: 'read' }, ({ session, connection }) =>
  getScimStatus(session.organizationId, connection.id),
)
