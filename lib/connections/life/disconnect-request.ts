import { withTenantSql } from '#lib/db/tenant.ts'
import type { ConnectionId, OrganizationId, UserId } from '#lib/ids.ts'
import { recordEvent } from '../events/history.ts'
import { endRuns } from '../runs/end-runs.ts'
import { moveConnection } from '../tokens/move-connection.ts'
import { destroyScimKey } from '../tokens/scim-key.ts'

export type DisconnectWish = { dataChoice: 'keep' | 'delete'; userId: UserId }

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
  { dataChoice, userId }: DisconnectWish,
): Promise<DisconnectAnswer> {
  return withTenantSql(organizationId, async (sql) => {
    const [known] = await sql('select 1 as known from connection where organization_id = $1 and id = $2', [
      organizationId,
      connectionId,
    ])
    if (known === undefined) return 'missing'
    const move = { to: 'disconnecting', cause: null, actorId: userId } as const
    if (!(await moveConnection(sql, organizationId, connectionId, move))) return 'not_possible'
    await recordEvent(sql, organizationId, connectionId, {
      kind: 'disconnect_requested',
      cause: dataChoice,
      actorId: userId,
    })
    await endRuns(sql, organizationId, connectionId)
    await destroyScimKey(sql, organizationId, connectionId, userId)
    await sql(
      `insert into disconnection (organization_id, connection_id, data_choice, requested_by) values ($1, $2, $3, $4)`,
      [organizationId, connectionId, dataChoice, userId],
    )
    await sql(`select pg_notify('tieout_wake', '')`)
    return 'accepted'
  })
}
