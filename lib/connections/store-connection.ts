import { type Sql, withTenantSql } from '../db/tenant.ts'
import { requireSetting } from '../env.ts'
import { OperationalError } from '../errors.ts'
import { requestSyncSql } from '../sync/request-sync.ts'
import type { ConnectIntent } from './connect-intents.ts'
import { type GrantedTokens, REFRESH_LIFETIME_SECONDS } from './granted-tokens.ts'
import { sealTokens } from './vault.ts'

/**
 * Stores a connection with its sealed tokens and queues its first sync, all or nothing. A new intent makes a connection
 * with credential generation 1; an intent to reconnect gives its connection the next generation and keeps its data.
 * Lifetimes count from the start of the request that obtained the tokens, `requestedMsAgo` before now on the database's
 * clock, by which they are judged later.
 * @throws OperationalError internal when the connection to reconnect is gone.
 */
export async function storeConnection(
  intent: Pick<ConnectIntent, 'organizationId' | 'idHash' | 'userId' | 'connectionId'>,
  tokens: GrantedTokens,
  requestedMsAgo: number,
): Promise<{ connectionId: string; runId: string }> {
  const { organizationId, userId } = intent
  return withTenantSql(organizationId, async (sql) => {
    const startedAt = await readStart(sql, requestedMsAgo)
    const connectionId = await upsertConnection(sql, intent, tokens, startedAt)
    const generation = await nextGeneration(sql, organizationId, connectionId)
    const { sealed, keyId } = await sealTokens(tokens, { connectionId, generation }, requireSetting('tokenPublicKeys'))
    await sql(
      `insert into connection_credential
         (organization_id, connection_id, generation, sealed_tokens, key_id, obtained_at, access_expires_at, refresh_expires_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8)
       on conflict (organization_id, connection_id) do update set
         generation = excluded.generation, sealed_tokens = excluded.sealed_tokens, key_id = excluded.key_id,
         obtained_at = excluded.obtained_at, access_expires_at = excluded.access_expires_at,
         refresh_expires_at = excluded.refresh_expires_at, lease_owner = null, lease_until = null`,
      [
        organizationId,
        connectionId,
        generation,
        sealed,
        keyId,
        startedAt,
        addSeconds(startedAt, tokens.expiresInSeconds),
        addSeconds(startedAt, REFRESH_LIFETIME_SECONDS),
      ],
    )
    const { runId } = await requestSyncSql(sql, organizationId, connectionId, {
      trigger: 'connect',
      requestedBy: userId,
    })
    await sql(`update connect_intent set outcome = 'connected' where organization_id = $1 and id_hash = $2`, [
      organizationId,
      intent.idHash,
    ])
    return { connectionId, runId }
  })
}

async function readStart(sql: Sql, requestedMsAgo: number): Promise<Date> {
  const ago = Math.max(0, requestedMsAgo) / 1000
  const [row] = await sql<{ start: Date }>('select clock_timestamp() - make_interval(secs => $1) as start', [ago])
  return (row as { start: Date }).start
}

type Target = Pick<ConnectIntent, 'organizationId' | 'userId' | 'connectionId'>

async function upsertConnection(sql: Sql, target: Target, tokens: GrantedTokens, connectedAt: Date): Promise<string> {
  const asked = requireSetting('partner').scopes
  const [row] =
    target.connectionId === null
      ? await sql<{ id: string }>(
          `insert into connection (organization_id, state, scopes_asked, scopes_granted, created_by, connected_at)
           values ($1, 'active', $2, $3, $4, $5) returning id`,
          [target.organizationId, asked, tokens.scope, target.userId, connectedAt],
        )
      : await sql<{ id: string }>(
          `update connection set state = 'active', state_cause = null, scopes_asked = $3, scopes_granted = $4, connected_at = $5
           where organization_id = $1 and id = $2 returning id`,
          [target.organizationId, target.connectionId, asked, tokens.scope, connectedAt],
        )
  if (row === undefined) throw new OperationalError('internal', 'the connection to reconnect does not exist')
  return row.id
}

async function nextGeneration(sql: Sql, organizationId: string, connectionId: string): Promise<number> {
  const [row] = await sql<{ generation: number }>(
    'select generation from connection_credential where organization_id = $1 and connection_id = $2 for update',
    [organizationId, connectionId],
  )
  return (row?.generation ?? 0) + 1
}

function addSeconds(moment: Date, seconds: number): Date {
  return new Date(moment.getTime() + seconds * 1000)
}
