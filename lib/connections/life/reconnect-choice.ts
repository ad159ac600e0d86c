import { type Actor, userIdOf } from '#lib/audit/model.ts'
import { type Sql, withTenant, withTenantSql } from '#lib/db/tenant.ts'
import { wakeWorkers } from '#lib/db/work/wake.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import { auditConnection } from '../events/audit-connection.ts'
import { recordEvent } from '../events/history.ts'

/** `held`: the organization already has this account as a connection. `gone`: nothing to decide. */
export type KeepAnswer = { kind: 'kept'; connectionId: ConnectionId } | { kind: 'held' | 'gone' }

/**
 * Keeps the account that a reconnect was refused for as a new connection, pending until the worker
 * has sealed the tokens for it. The connection to be reconnected stays as it is.
 */
export function keepAsNewConnection(
  organizationId: OrganizationId,
  connectionId: ConnectionId,
  actor: Actor,
): Promise<KeepAnswer> {
  const userId = userIdOf(actor)
  return withTenantSql(organizationId, async (sql): Promise<KeepAnswer> => {
    const refused = await lockRefused(sql, organizationId, connectionId)
    if (refused === null) return { kind: 'gone' }
    if (refused.heldBy !== null) return { kind: 'held' }
    const [made] = await sql<{ id: ConnectionId }>(
      `insert into connection (organization_id, state, scopes_asked, created_by)
       select organization_id, 'pending', scopes_asked, $3 from connection_candidate
       where organization_id = $1 and connection_id = $2 returning id`,
      [organizationId, connectionId, userId],
    )
    const { id } = made as { id: ConnectionId }
    await sql(
      `update connection_candidate set connection_id = $3, status = 'unchecked', state_before = 'pending', attempts = 0,
              next_try_at = statement_timestamp(), fence = fence + 1, profile_names = '{}'
       where organization_id = $1 and connection_id = $2`,
      [organizationId, connectionId, id],
    )
    await recordEvent(sql, organizationId, connectionId, { kind: 'kept_as_new', actorId: userId, detail: id })
    await wakeWorkers(sql)
    await auditConnection(sql, organizationId, connectionId, {
      actor,
      action: 'connection.other-account-kept',
      after: { connection: id },
    })
    return { kind: 'kept', connectionId: id }
  })
}

/** Destroys a refused account's tokens, without revoking them (decision 008). */
export function discardOtherAccount(
  organizationId: OrganizationId,
  connectionId: ConnectionId,
  actor: Actor,
): Promise<boolean> {
  return withTenant(organizationId, async (records, sql) => {
    if ((await lockRefused(sql, organizationId, connectionId)) === null) return false
    await records.connectionCandidate.deleteMany({ where: { organizationId, connectionId } })
    await recordEvent(sql, organizationId, connectionId, { kind: 'candidate_destroyed', actorId: userIdOf(actor) })
    await auditConnection(sql, organizationId, connectionId, {
      actor,
      action: 'connection.other-account-discarded',
    })
    return true
  })
}

async function lockRefused(
  sql: Sql,
  organizationId: OrganizationId,
  connectionId: ConnectionId,
): Promise<{ heldBy: string | null } | null> {
  const [refused] = await sql<{ heldBy: string | null }>(
    `select held_by as "heldBy" from connection_candidate
     where organization_id = $1 and connection_id = $2 and status = 'other_account'
       and access_expires_at > statement_timestamp() for update`,
    [organizationId, connectionId],
  )
  return refused ?? null
}
