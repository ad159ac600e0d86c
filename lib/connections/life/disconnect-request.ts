import { type Actor, userIdOf } from '#lib/audit/model.ts'
import { withTenant } from '#lib/db/tenant.ts'
import { wakeWorkers } from '#lib/db/work/wake.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import { auditConnection } from '../events/audit-connection.ts'
import { recordEvent } from '../events/history.ts'
import { endRuns } from '../runs/end-runs.ts'
import { moveConnection } from '../tokens/move-connection.ts'
import { destroyScimKey } from '../tokens/scim-key.ts'

export type DisconnectWish = { dataChoice: 'keep' | 'delete'; actor: Actor }

/** `not_possible`: it is already disconnected, or being disconnected. */
export type DisconnectAnswer = 'accepted' | 'not_possible' | 'missing'

/**
 * Disconnects a connection at once, as far as this program goes. From the commit on, no run of it
 * continues or begins, its tokens are read only to revoke them, and its SCIM key is destroyed. The
 * choice about the data is stored here. Wakes the worker, which does the rest
 * (`disconnect-work.ts`).
 */
export function requestDisconnect(
  organizationId: OrganizationId,
  connectionId: ConnectionId,
  { dataChoice, actor }: DisconnectWish,
): Promise<DisconnectAnswer> {
  const userId = userIdOf(actor)
  return withTenant(organizationId, async (records, sql) => {
    const known = await records.connection.findFirst({
      where: { organizationId, id: connectionId },
      select: { id: true },
    })
    if (known === null) return 'missing'
    const move = { to: 'disconnecting', cause: null, actorId: userId } as const
    if (!(await moveConnection(sql, organizationId, connectionId, move))) return 'not_possible'
    await recordEvent(sql, organizationId, connectionId, {
      kind: 'disconnect_requested',
      cause: dataChoice,
      actorId: userId,
    })
    await endRuns(sql, organizationId, connectionId)
    await destroyScimKey(sql, organizationId, connectionId, actor)
    await sql(
      `insert into disconnection (organization_id, connection_id, data_choice, requested_by) values ($1, $2, $3, $4)`,
      [organizationId, connectionId, dataChoice, userId],
    )
    await wakeWorkers(sql)
    await auditConnection(sql, organizationId, connectionId, {
      actor,
      action: 'connection.disconnect-requested',
      after: { data: dataChoice },
    })
    return 'accepted'
  })
}
