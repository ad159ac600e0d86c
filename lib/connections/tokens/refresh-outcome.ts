/** How a refresh ends: one transaction each, fenced on the generation that was sent. */

import { WORKER } from '#lib/audit/model.ts'
import { type Sql, withTenantSql } from '#lib/db/tenant.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import { auditConnection } from '../events/audit-connection.ts'
import { resolveNotices } from '../events/operator-notices.ts'
import type { ReconnectCause } from '../model.ts'
import { type PostponedOutcome, toPauseSeconds } from './refresh-backoff.ts'
import { finishAttempt } from './refresh-lease.ts'

/** One attempt, for one generation, by one worker (`owner`). */
export type AttemptRef = {
  organizationId: OrganizationId
  connectionId: ConnectionId
  generation: number
  attemptId: string
  owner: string
}

export type RenewedCredential = {
  sealedTokens: string
  keyId: string
  /** The start of the request by the database's clock: lifetimes count from here. */
  startedAt: Date
  expiresInSeconds: number
  /** Null when the refresh token, and so its lifetime, stayed the same. */
  refreshLifetimeSeconds: number | null
}

/**
 * Stores renewed tokens as the next generation, fenced on the generation that was sent. False, with
 * nothing stored, when the row has moved on (a reconnect, or a worker that took over an ended
 * lease). `alongside` runs in the same transaction.
 */
export function storeRenewed(
  attempt: AttemptRef,
  renewed: RenewedCredential,
  alongside: (sql: Sql) => Promise<void> = async () => undefined,
): Promise<boolean> {
  const { organizationId, connectionId } = attempt
  return withTenantSql(organizationId, async (sql) => {
    const stored = await sql(
      `update connection_credential set
         generation = generation + 1, sealed_tokens = $4, key_id = $5, obtained_at = $6,
         access_expires_at = $6::timestamptz + make_interval(secs => $7),
         refresh_expires_at = coalesce($6::timestamptz + make_interval(secs => $8), refresh_expires_at),
         lease_owner = null, lease_until = null
       where organization_id = $1 and connection_id = $2 and generation = $3 returning 1 as stored`,
      [
        organizationId,
        connectionId,
        attempt.generation,
        renewed.sealedTokens,
        renewed.keyId,
        renewed.startedAt,
        renewed.expiresInSeconds,
        renewed.refreshLifetimeSeconds,
      ],
    )
    await finishAttempt(sql, organizationId, attempt.attemptId, { outcome: stored.length === 1 ? 'renewed' : 'fenced' })
    if (stored.length === 0) return false
    // a worker stopped past its lease may bring the tokens whose loss was already declared
    const recovered = await sql(
      `update connection set state = 'active', state_cause = null
       where organization_id = $1 and id = $2 and state = 'needs_reconnect' returning 1 as recovered`,
      [organizationId, connectionId],
    )
    await resolveNotices(sql, organizationId, connectionId)
    await alongside(sql)
    if (recovered.length > 0)
      await auditConnection(sql, organizationId, connectionId, { actor: WORKER, action: 'connection.recovered' })
    return true
  })
}

/**
 * Releases the lease, notes how the attempt ended and when the next call may be made. The
 * connection stays alive.
 * @returns the pause until then, in milliseconds.
 */
export function postponeRefresh(
  attempt: AttemptRef,
  end: { outcome: PostponedOutcome; reason: string; retryAfterSeconds?: number | null; isImmediate?: boolean },
  alongside: (sql: Sql) => Promise<void> = async () => undefined,
): Promise<number> {
  const { organizationId, connectionId } = attempt
  return withTenantSql(organizationId, async (sql) => {
    const [before] = await sql<{ failures: number }>(
      `select count(*)::int as failures from refresh_attempt
       where organization_id = $1 and connection_id = $2 and generation = $3 and outcome = $4 and id <> $5
         and next_attempt_at is not null`,
      [organizationId, connectionId, attempt.generation, end.outcome, attempt.attemptId],
    )
    const pauseSeconds = toPauseSeconds(end.outcome, (before?.failures ?? 0) + 1, end.retryAfterSeconds ?? null)
    await finishAttempt(sql, organizationId, attempt.attemptId, {
      outcome: end.outcome,
      reason: end.reason,
      nextAttemptInSeconds: end.isImmediate ? undefined : pauseSeconds,
    })
    await sql(
      `update connection_credential set lease_owner = null, lease_until = null
       where organization_id = $1 and connection_id = $2 and lease_owner = $3`,
      [organizationId, connectionId, attempt.owner],
    )
    await alongside(sql)
    return pauseSeconds * 1000
  })
}

/**
 * Ends a connection whose refresh token was refused; null if its generation has moved on. The
 * cause: the token had run out, an earlier request for the same generation got no answer, or
 * neither.
 */
export function endConnection(
  attempt: AttemptRef,
  outcome: 'invalid_grant' | 'rejected',
  reason: string,
): Promise<ReconnectCause | null> {
  const { organizationId, connectionId } = attempt
  return withTenantSql(organizationId, async (sql) => {
    await sql('select from connection_credential where organization_id = $1 and connection_id = $2 for update', [
      organizationId,
      connectionId,
    ])
    const [row] = await sql<{ generation: number; isExpired: boolean; wasInDoubt: boolean }>(
      `select k.generation, k.refresh_expires_at <= clock_timestamp() as "isExpired",
              exists (select from refresh_attempt a
                      where a.organization_id = k.organization_id and a.connection_id = k.connection_id
                        and a.generation = k.generation and a.id <> $3
                        and (a.outcome is null or a.outcome in ('in_doubt', 'answer_kept'))) as "wasInDoubt"
       from connection_credential k where k.organization_id = $1 and k.connection_id = $2`,
      [organizationId, connectionId, attempt.attemptId],
    )
    await finishAttempt(sql, organizationId, attempt.attemptId, { outcome, reason })
    if (row?.generation !== attempt.generation) return null
    const cause = toCause(row, outcome)
    const lost = await sql(
      `update connection set state = 'needs_reconnect', state_cause = $3
       where organization_id = $1 and id = $2 and state in ('active', 'refreshing') returning 1 as lost`,
      [organizationId, connectionId, cause],
    )
    await sql(
      `update connection_credential set lease_owner = null, lease_until = null
       where organization_id = $1 and connection_id = $2`,
      [organizationId, connectionId],
    )
    if (lost.length > 0)
      await auditConnection(sql, organizationId, connectionId, {
        actor: WORKER,
        action: 'connection.lost',
        after: { cause },
      })
    return cause
  })
}

function toCause(
  { isExpired, wasInDoubt }: { isExpired: boolean; wasInDoubt: boolean },
  outcome: 'invalid_grant' | 'rejected',
): ReconnectCause {
  if (isExpired) return 'refresh_expired'
  if (wasInDoubt) return 'lost_response'
  return outcome === 'rejected' ? 'rejected' : 'revoked_or_reused'
}
