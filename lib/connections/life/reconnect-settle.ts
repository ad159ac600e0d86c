/** What happens to a consent once checked: one transaction each, fenced by the worker's claim. */

import { WORKER } from '#lib/audit/model.ts'
import { type Sql, withTenantSql } from '#lib/db/tenant.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import type { ClaimedCandidate } from '../claims.ts'
import { auditConnection, inOrder } from '../events/audit-connection.ts'
import { recordEvent } from '../events/history.ts'
import { resumeSyncSql } from '../runs/request-sync.ts'
import type { StoredState } from '../states.ts'
import { moveConnection } from '../tokens/move-connection.ts'
import { storeCredential } from '../tokens/store-credential.ts'
import type { StoredTokens } from '../tokens/vault.ts'

export type CandidateTokens = StoredTokens

type HeldCandidate = {
  stateBefore: StoredState
  consentedBy: string
  scopesAsked: string
  scopesGranted: string | null
  obtainedAt: Date
  accessExpiresAt: Date
  refreshExpiresAt: Date
}

/**
 * The account is the same, or none was known: the tokens become the connection's credential, the
 * connection becomes active, and its sync continues where it was when the link ended. Does nothing
 * if the consent was replaced or the connection is being disconnected.
 */
export async function confirmCandidate(candidate: ClaimedCandidate, tokens: CandidateTokens): Promise<void> {
  await settle(candidate, async (sql, held) => {
    const { organizationId, connectionId } = candidate
    await storeCredential(sql, organizationId, connectionId, tokens, held)
    const own = [organizationId, connectionId]
    const known = await sql('select from profile where organization_id = $1 and connection_id = $2 limit 1', own)
    // an account that takes the place of deleted data gets new names
    const keepsName = 'data_deleted_at is null or $7::boolean'
    await sql(
      `update connection set scopes_asked = $3, scopes_granted = $4, connected_at = $5, connected_by = $6,
              name = case when ${keepsName} then name end, platform_name = case when ${keepsName} then platform_name end,
              data_deleted_at = null
       where organization_id = $1 and id = $2`,
      [...own, held.scopesAsked, held.scopesGranted, held.obtainedAt, held.consentedBy, known.length > 0],
    )
    await recordEvent(sql, organizationId, connectionId, { kind: 'account_confirmed', detail: held.scopesGranted })
    await moveConnection(sql, organizationId, connectionId, { to: 'active', cause: null, actorId: null })
    await remove(sql, candidate)
    const { resumed } = await resumeSyncSql(sql, organizationId, connectionId, {
      trigger: 'connect',
      requestedBy: held.consentedBy,
    })
    if (resumed) await recordEvent(sql, organizationId, connectionId, { kind: 'sync_resumed' })
    await auditConnection(sql, organizationId, connectionId, { actor: WORKER, action: 'connection.reconnected' })
  })
}

/**
 * It is another account: the connection goes back to where it was. The other account's profile
 * names stay beside the tokens for the hour in which an admin may keep it as a new connection.
 */
export async function refuseCandidate(
  candidate: ClaimedCandidate,
  profiles: { id: string; name: string | null }[],
): Promise<void> {
  await settle(candidate, async (sql, held) => {
    const { organizationId, connectionId } = candidate
    await sql(
      `update connection_candidate set status = 'other_account', last_problem = null, profile_names = $3,
              held_by = (select connection_id from profile
                         where organization_id = $1 and id = any($4) and connection_id <> $2 limit 1)
       where organization_id = $1 and connection_id = $2`,
      [
        organizationId,
        connectionId,
        profiles.slice(0, 20).map(({ id, name }) => name ?? id),
        profiles.map(({ id }) => id),
      ],
    )
    await recordEvent(sql, organizationId, connectionId, {
      kind: 'other_account',
      detail: `${profiles.length}`,
    })
    await goBack(sql, candidate, held, 'other_account')
    await auditConnection(sql, organizationId, connectionId, {
      actor: WORKER,
      action: 'connection.other-account-found',
      after: { profiles: profiles.length },
    })
  })
}

/** The check failed for good: destroys the tokens, and the connection goes back to where it was. */
export async function giveUpCandidate(candidate: ClaimedCandidate, problem: string): Promise<void> {
  await settle(candidate, async (sql, held) => {
    const { organizationId, connectionId } = candidate
    await recordEvent(sql, organizationId, connectionId, { kind: 'not_confirmed', cause: problem })
    await goBack(sql, candidate, held, 'not_confirmed')
    await remove(sql, candidate)
    await auditConnection(sql, organizationId, connectionId, {
      actor: WORKER,
      action: 'connection.not-confirmed',
      after: { problem },
    })
  })
}

/** Destroys other accounts' tokens that nobody kept within the life of their access token. */
export async function destroyStaleCandidates(sql: Sql): Promise<number> {
  const gone = await sql<{ organizationId: OrganizationId; connectionId: ConnectionId }>(
    `delete from connection_candidate where status = 'other_account' and access_expires_at <= statement_timestamp()
     returning organization_id as "organizationId", connection_id as "connectionId"`,
  )
  for (const { organizationId, connectionId } of gone)
    await recordEvent(sql, organizationId, connectionId, { kind: 'candidate_destroyed', cause: 'expired' })
  // after the events, which wait for whoever holds the connection
  for (const { organizationId, connectionId } of inOrder(gone))
    await auditConnection(sql, organizationId, connectionId, {
      actor: WORKER,
      action: 'connection.candidate-expired',
    })
  return gone.length
}

async function settle(
  { organizationId, connectionId, fence }: ClaimedCandidate,
  work: (sql: Sql, held: HeldCandidate) => Promise<void>,
): Promise<void> {
  await withTenantSql(organizationId, async (sql) => {
    // everybody locks in this order: credential, connection, consent
    const key = [organizationId, connectionId]
    await sql('select from connection_credential where organization_id = $1 and connection_id = $2 for update', key)
    const [connection] = await sql<{ state: StoredState }>(
      'select state from connection where organization_id = $1 and id = $2 for update',
      key,
    )
    const [held] = await sql<HeldCandidate>(
      `select state_before as "stateBefore", consented_by as "consentedBy", scopes_asked as "scopesAsked",
              scopes_granted as "scopesGranted", obtained_at as "obtainedAt", access_expires_at as "accessExpiresAt",
              refresh_expires_at as "refreshExpiresAt"
       from connection_candidate
       where organization_id = $1 and connection_id = $2 and fence = $3 and status = 'unchecked' for update`,
      [...key, fence],
    )
    if (held === undefined || connection === undefined || connection.state === 'disconnecting') return
    await work(sql, held)
  })
}

/** A pending connection goes back to where it was, with the cause; an active one stays active. */
async function goBack(
  sql: Sql,
  { organizationId, connectionId }: ClaimedCandidate,
  { stateBefore }: HeldCandidate,
  cause: 'other_account' | 'not_confirmed',
): Promise<void> {
  const to = stateBefore === 'disconnected' ? 'disconnected' : 'needs_reconnect'
  await moveConnection(sql, organizationId, connectionId, { to, cause, actorId: null, from: ['pending'] })
}

async function remove(sql: Sql, { organizationId, connectionId }: ClaimedCandidate): Promise<void> {
  await sql('delete from connection_candidate where organization_id = $1 and connection_id = $2', [
    organizationId,
    connectionId,
  ])
}
