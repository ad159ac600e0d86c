/**
 * A connection's SCIM API key: sealed before it is stored, opened only by the worker, never shown
 * again. Here `key` and `apiKey` mean the platform's; `keyId` is the id of our own key that seals
 * it.
 */

import { type Actor, userIdOf } from '#lib/audit/model.ts'
import { type Sql, withTenant, withTenantSql } from '#lib/db/tenant.ts'
import type { JwkSet } from '#lib/env.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import { auditConnection } from '../events/audit-connection.ts'
import { endScimChecks } from '../scim/scim-checks.ts'
import { isDisconnected, SQL_DISCONNECTED, type StoredState } from '../states.ts'
import { openBytes, type SealContext, sealBytes } from './vault.ts'

const MAX_KEY_LENGTH = 4096

/**
 * The key to send, from what a person typed or pasted: drops surrounding spaces and a leading
 * scheme word. Null for what cannot be a key: empty, too long, or with characters that a header may
 * not carry.
 */
export function toScimApiKey(typed: string): string | null {
  const text = typed.trim().replace(/^(authorization:\s*)?apikey\s+/i, '')
  return text.length <= MAX_KEY_LENGTH && /^[\x21-\x7e]+$/.test(text) ? text : null
}

/** Where a sealed key belongs; the prefix sets it apart from the connection's token answers. */
export function toScimSealContext(connectionId: string, generation: number): SealContext {
  return { connectionId: `scim-key ${connectionId}`, generation }
}

/**
 * `missing`: the organization has no such connection. `disconnected`: it is disconnected or being
 * disconnected. Neither stores anything.
 */
export type StoredScimKey = 'stored' | 'missing' | 'disconnected'

/**
 * Seals and stores the key in place of the old one.
 * @throws OperationalError token-unreadable when there is no public key to seal to.
 */
export async function storeScimKey(
  organizationId: OrganizationId,
  connectionId: ConnectionId,
  apiKey: string,
  options: { changedBy: Actor; publicKeys: JwkSet },
): Promise<StoredScimKey> {
  return withTenant(organizationId, async (records, sql) => {
    // with the lock, a key entered beside "Disconnect" comes first and is destroyed, or is refused
    const [connection] = await sql<{ state: StoredState }>(
      'select state from connection where organization_id = $1 and id = $2 for update',
      [organizationId, connectionId],
    )
    if (connection === undefined) return 'missing'
    if (isDisconnected(connection.state)) return 'disconnected'
    const current = await records.scimCredential.findFirst({
      where: { organizationId, connectionId },
      select: { generation: true },
    })
    const generation = (current?.generation ?? 0) + 1
    const context = toScimSealContext(connectionId, generation)
    const { sealed, keyId } = await sealBytes(Buffer.from(apiKey), context, options.publicKeys)
    await sql(
      `insert into scim_credential (organization_id, connection_id, generation, sealed_key, key_id, changed_by)
       values ($1, $2, $3, $4, $5, $6)
       on conflict (organization_id, connection_id) do update
       set generation = $3, sealed_key = $4, key_id = $5, changed_by = $6, changed_at = excluded.changed_at`,
      [organizationId, connectionId, generation, sealed, keyId, userIdOf(options.changedBy)],
    )
    // ask again whatever is being asked with the old key, and fence off its worker
    await sql(
      `update scim_check set status = 'queued', fence = fence + 1, lease_until = null, attempts = 0
       where organization_id = $1 and connection_id = $2 and status = 'running'`,
      [organizationId, connectionId],
    )
    await auditConnection(sql, organizationId, connectionId, {
      actor: options.changedBy,
      action: 'connection.scim-key-stored',
    })
    return 'stored'
  })
}

/** Destroys the key and ends its check; what was learned stays. False when there was none. */
export function removeScimKey(
  organizationId: OrganizationId,
  connectionId: ConnectionId,
  removedBy: Actor,
): Promise<boolean> {
  return withTenantSql(organizationId, (sql) => destroyScimKey(sql, organizationId, connectionId, removedBy))
}

/** As `removeScimKey`, in the caller's transaction. */
export async function destroyScimKey(
  sql: Sql,
  organizationId: OrganizationId,
  connectionId: ConnectionId,
  removedBy: Actor,
): Promise<boolean> {
  const removed = await sql(
    `update scim_credential set sealed_key = null, key_id = null, changed_by = $3, changed_at = now()
     where organization_id = $1 and connection_id = $2 and key_id is not null returning 1 as removed`,
    [organizationId, connectionId, userIdOf(removedBy)],
  )
  await endScimChecks(sql, organizationId, connectionId)
  if (removed.length > 0)
    await auditConnection(sql, organizationId, connectionId, {
      actor: removedBy,
      action: 'connection.scim-key-removed',
    })
  return removed.length > 0
}

/**
 * The key in the clear, for the worker; null when there is none, or the connection is disconnected
 * or being disconnected.
 * @throws OperationalError token-unreadable
 */
export async function openScimKey(
  organizationId: OrganizationId,
  connectionId: ConnectionId,
  privateKeys: JwkSet,
): Promise<string | null> {
  const [row] = await withTenantSql(organizationId, (sql) =>
    sql<{ generation: number; sealed_key: string | null }>(
      `select k.generation, k.sealed_key from scim_credential k
       join connection c on c.organization_id = k.organization_id and c.id = k.connection_id
       where k.organization_id = $1 and k.connection_id = $2 and c.state not in ${SQL_DISCONNECTED}`,
      [organizationId, connectionId],
    ),
  )
  if (row === undefined || row.sealed_key === null) return null
  const bytes = await openBytes(row.sealed_key, toScimSealContext(connectionId, row.generation), privateKeys)
  return bytes.toString('utf8')
}
