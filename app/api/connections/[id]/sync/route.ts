import { connectionReadRoute, connectionWriteRoute } from '#lib/auth/doors/api-route.ts'
import { getSyncActivity } from '#lib/connections/runs/sync-activity.ts'
import { toSyncWish } from './run-wishes.ts'

/** The activity of the connection's newest sync: `SyncActivity`. */
export const GET = connectionReadRoute({ may: 'read' }, ({ session, connection }) =>
  getSyncActivity(session.organizationId, connection.id),
)

/** "Sync now". */
export const POST = connectionWriteRoute({ may: 'sync' }, toSyncWish())
