import { readRoute } from '#lib/auth/doors/api-route.ts'
import { listConnections } from '#lib/connections/life/list-connections.ts'

export const GET = readRoute({ may: 'read' }, async ({ session }) => ({
  connections: await listConnections(session.organizationId),
}))
