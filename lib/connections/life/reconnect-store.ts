import type { Actor } from '#lib/audit/model.ts'
import { withTenant } from '#lib/db/tenant.ts'
import { wakeWorkers } from '#lib/db/work/wake.ts'
import { requireSetting } from '#lib/env.ts'
import type { ConnectionId } from '#lib/ids.ts'
import { auditConnection } from '../events/audit-connection.ts'
import { recordEvent } from '../events/history.ts'
import type { StoredState } from '../states.ts'
import { type GrantedTokens, REFRESH_LIFETIME_SECONDS } from '../tokens/granted-tokens.ts'
import { sealingKeys } from '../tokens/key-ring.ts'
import { moveConnection } from '../tokens/move-connection.ts'
import { nextGeneration } from '../tokens/store-credential.ts'
import { sealBytes } from '../tokens/vault.ts'
import type { ConnectIntent } from './connect-intents.ts'
import { addSeconds, noteConnected, readStart } from './store-connection.ts'

/**
 * Keeps the tokens of a consent to reconnect beside the connection's credential, and wakes the
 * worker, which compares the accounts (`reconnect-work.ts`). Replaces a waiting consent. Meanwhile
 * an active connection goes on with the tokens it has. The tokens are sealed as bytes: a row moved
 * into the credentials cannot be opened there.
 * @returns false, with nothing stored, when the connection is missing or being disconnected.
 */
export function storeCandidate(
  intent: Pick<ConnectIntent, 'organizationId' | 'idHash' | 'userId'> & { connectionId: ConnectionId; actor: Actor },
  tokens: GrantedTokens,
  requestedMsAgo: number,
): Promise<boolean> {
  const { organizationId, userId, connectionId, actor } = intent
  return withTenant(organizationId, async (records, sql) => {
    const generation = await nextGeneration(sql, organizationId, connectionId)
    const [connection] = await sql<{ state: StoredState }>(
      'select state from connection where organization_id = $1 and id = $2 for update',
      [organizationId, connectionId],
    )
    if (connection === undefined || connection.state === 'disconnecting') return false
    const startedAt = await readStart(sql, requestedMsAgo)
    const text = JSON.stringify({ accessToken: tokens.accessToken, refreshToken: tokens.refreshToken })
    const { sealed, keyId } = await sealBytes(Buffer.from(text), { connectionId, generation }, sealingKeys())
    // not `excluded.sealed_tokens`: PostgreSQL counts that as reading the column, which the web
    // server may not do
    await sql(
      `insert into connection_candidate
         (organization_id, connection_id, sealed_for, generation, sealed_tokens, key_id, scopes_asked, scopes_granted,
          obtained_at, access_expires_at, refresh_expires_at, consented_by, state_before)
       values ($1, $2, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
       on conflict (organization_id, connection_id) do update set
         status = 'unchecked', sealed_for = excluded.sealed_for, generation = excluded.generation,
         sealed_tokens = $4, key_id = excluded.key_id, scopes_asked = excluded.scopes_asked,
         scopes_granted = excluded.scopes_granted, obtained_at = excluded.obtained_at,
         access_expires_at = excluded.access_expires_at, refresh_expires_at = excluded.refresh_expires_at,
         consented_by = excluded.consented_by, profile_names = '{}', held_by = null, attempts = 0,
         next_try_at = excluded.next_try_at, last_problem = null, fence = connection_candidate.fence + 1,
         state_before = case when excluded.state_before = 'pending' then connection_candidate.state_before
                                                   else excluded.state_before end`,
      [
        organizationId,
        connectionId,
        generation,
        sealed,
        keyId,
        requireSetting('partner').scopes,
        tokens.scope,
        startedAt,
        addSeconds(startedAt, tokens.expiresInSeconds),
        addSeconds(startedAt, REFRESH_LIFETIME_SECONDS),
        userId,
        connection.state,
      ],
    )
    await recordEvent(sql, organizationId, connectionId, { kind: 'consent_given', actorId: userId })
    await moveConnection(sql, organizationId, connectionId, { to: 'pending', cause: null, actorId: userId })
    await noteConnected(records, intent, 'reconnecting', connectionId)
    await wakeWorkers(sql)
    await auditConnection(sql, organizationId, connectionId, {
      actor,
      action: 'connection.reconnect-consented',
      after: { scopes: tokens.scope },
    })
    return true
  })
}
