import type { Actor } from '#lib/audit/model.ts'
import type { Records } from '#lib/db/records.ts'
import { type Sql, withTenant } from '#lib/db/tenant.ts'
import { requireSetting } from '#lib/env.ts'
import type { ConnectionId, RunId } from '#lib/ids.ts'
import type { ConnectOutcomeKey } from '../connect-outcomes.ts'
import { auditConnection } from '../events/audit-connection.ts'
import { recordEvent } from '../events/history.ts'
import { requestSyncSql } from '../runs/request-sync.ts'
import { type GrantedTokens, REFRESH_LIFETIME_SECONDS } from '../tokens/granted-tokens.ts'
import { storeCredential } from '../tokens/store-credential.ts'
import type { ConnectIntent } from './connect-intents.ts'

/**
 * Stores a new connection with its sealed tokens as generation 1 and queues its first sync, all or
 * nothing. Lifetimes count from the start of the request for the tokens, `requestedMsAgo` before
 * now by the database's clock, which judges them later. To reconnect, see `storeCandidate`.
 */
export async function storeConnection(
  intent: Pick<ConnectIntent, 'organizationId' | 'idHash' | 'userId'> & { actor: Actor },
  tokens: GrantedTokens,
  requestedMsAgo: number,
): Promise<{ connectionId: ConnectionId; runId: RunId }> {
  const { organizationId, userId, actor } = intent
  return withTenant(organizationId, async (records, sql) => {
    const startedAt = await readStart(sql, requestedMsAgo)
    const [row] = await sql<{ id: string }>(
      `insert into connection (organization_id, state, scopes_asked, scopes_granted, created_by, connected_by, connected_at)
       values ($1, 'active', $2, $3, $4, $4, $5) returning id`,
      [organizationId, requireSetting('partner').scopes, tokens.scope, userId, startedAt],
    )
    const { id: connectionId } = row as { id: ConnectionId }
    await storeCredential(sql, organizationId, connectionId, tokens, {
      obtainedAt: startedAt,
      accessExpiresAt: addSeconds(startedAt, tokens.expiresInSeconds),
      refreshExpiresAt: addSeconds(startedAt, REFRESH_LIFETIME_SECONDS),
    })
    await recordEvent(sql, organizationId, connectionId, { kind: 'connected', actorId: userId, detail: tokens.scope })
    const { runId } = await requestSyncSql(sql, organizationId, connectionId, {
      trigger: 'connect',
      requestedBy: userId,
    })
    await noteConnected(records, intent, 'connected', connectionId)
    await auditConnection(sql, organizationId, connectionId, {
      actor,
      action: 'connection.connected',
      after: { scopes: tokens.scope },
    })
    return { connectionId, runId }
  })
}

/** Notes in the caller's transaction that the intent led to tokens, and of which connection. */
export async function noteConnected(
  records: Records,
  { organizationId, idHash }: Pick<ConnectIntent, 'organizationId' | 'idHash'>,
  outcome: Extract<ConnectOutcomeKey, 'connected' | 'reconnecting'>,
  connectionId: ConnectionId,
): Promise<void> {
  await records.connectIntent.updateMany({ where: { organizationId, idHash }, data: { outcome, connectionId } })
}

/** The moment `requestedMsAgo` before now, by the database's clock. */
export async function readStart(sql: Sql, requestedMsAgo: number): Promise<Date> {
  const ago = Math.max(0, requestedMsAgo) / 1000
  const [row] = await sql<{ start: Date }>('select clock_timestamp() - make_interval(secs => $1) as start', [ago])
  return (row as { start: Date }).start
}

export function addSeconds(moment: Date, seconds: number): Date {
  return new Date(moment.getTime() + seconds * 1000)
}
