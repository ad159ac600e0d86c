import type { Sql } from '#lib/db/tenant.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import { listSources, type StoredState } from '../states.ts'

export type Move = {
  to: StoredState
  /** Why, in a fixed word of ours; null when the state speaks for itself. */
  cause: string | null
  /** The user who did it; null for the program itself. */
  actorId: string | null
  /** Narrows the states this move starts from; by default, every state that allows it. */
  from?: readonly StoredState[]
}

/**
 * Moves a connection to another state, in the caller's transaction. The database itself writes the
 * history row, so no statement can leave it out. False, with nothing changed, when the connection's
 * state does not allow it or it is missing: of two that move at once, one wins.
 */
export async function moveConnection(
  sql: Sql,
  organizationId: OrganizationId,
  connectionId: ConnectionId,
  { to, cause, actorId, from = listSources(to) }: Move,
): Promise<boolean> {
  await sql.setName('tieout.actor_id', actorId)
  const moved = await sql(
    `update connection set state = $3, state_cause = $4
     where organization_id = $1 and id = $2 and state = any($5) returning 1 as moved`,
    [organizationId, connectionId, to, cause, from],
  )
  await sql.setName('tieout.actor_id', null)
  return moved.length === 1
}
