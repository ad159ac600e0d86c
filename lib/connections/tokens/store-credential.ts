import type { Sql } from '#lib/db/tenant.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import { sealingKeys } from './key-ring.ts'
import { type StoredTokens, sealTokens } from './vault.ts'

export type CredentialTimes = { obtainedAt: Date; accessExpiresAt: Date; refreshExpiresAt: Date }

/**
 * Makes tokens the connection's credential, under a generation that it never had before, in the
 * caller's transaction. A renewal under way for the old tokens finds its generation gone and stores
 * nothing.
 */
export async function storeCredential(
  sql: Sql,
  organizationId: OrganizationId,
  connectionId: ConnectionId,
  tokens: StoredTokens,
  times: CredentialTimes,
): Promise<void> {
  const generation = await nextGeneration(sql, organizationId, connectionId)
  const { sealed, keyId } = await sealTokens(tokens, { connectionId, generation }, sealingKeys())
  // not `excluded.sealed_tokens`: PostgreSQL counts that as reading the column, which the web
  // server may not do
  await sql(
    `insert into connection_credential
       (organization_id, connection_id, generation, sealed_tokens, key_id, obtained_at, access_expires_at, refresh_expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)
     on conflict (organization_id, connection_id) do update set
       generation = excluded.generation, sealed_tokens = $4, key_id = excluded.key_id,
       obtained_at = excluded.obtained_at, access_expires_at = excluded.access_expires_at,
       refresh_expires_at = excluded.refresh_expires_at, lease_owner = null, lease_until = null`,
    [
      organizationId,
      connectionId,
      generation,
      sealed,
      keyId,
      times.obtainedAt,
      times.accessExpiresAt,
      times.refreshExpiresAt,
    ],
  )
}

/** One more than any generation the connection ever had. Locks the credential. */
export async function nextGeneration(
  sql: Sql,
  organizationId: OrganizationId,
  connectionId: ConnectionId,
): Promise<number> {
  await sql('select from connection_credential where organization_id = $1 and connection_id = $2 for update', [
    organizationId,
    connectionId,
  ])
  const [row] = await sql<{ last: number }>(
    `select greatest(
       (select last_generation from connection where organization_id = $1 and id = $2),
       (select generation from connection_credential where organization_id = $1 and connection_id = $2), 0) as last`,
    [organizationId, connectionId],
  )
  return (row?.last ?? 0) + 1
}
