import { apiRoute } from '../../../lib/auth/api-route.ts'
import { listConnections } from '../../../lib/connections/list-connections.ts'

export const GET = apiRoute({}, async ({ session }) => ({ connections: await listConnections(session.organizationId) }))
