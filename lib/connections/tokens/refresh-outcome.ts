/** Writes how a refresh ends: one transaction, fenced on the generation that was sent. */

import { WORKER } from '#lib/audit/model.ts'
import { type Sql, withTenantSql } from '#lib/db/tenant.ts'
import type { OperationalError } from '#lib/errors.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import { auditConnection } from '../events/audit-connection.ts'
import { raiseNotice, resolveNotices } from '../events/operator-notices.ts'
import type { ReconnectCause } from '../model.ts'
import { REFRESH_LIFETIME_SECONDS } from './granted-tokens.ts'
import { toPauseSeconds, toPostponedError } from './refresh-backoff.ts'
import type { Decision, Postponement } from './refresh-decision.ts'
import { finishAttempt } from './refresh-lease.ts'

/** One attempt, for one generation, by one worker (`owner`). */
export type AttemptRef = {
  organizationId: OrganizationId
  connectionId: ConnectionId
  generation: number
  attemptId: string
  owner: string
}

/** What an attempt led to, once the database has it. `fenced`: the connection has newer tokens. */
export type Settlement =
  | { kind: 'renewed' }
  | { kind: 'fenced' }
  | { kind: 'ended'; cause: ReconnectCause; reason: string }
  | { kind: 'postponed'; error: OperationalError }
  | { kind: 'in_doubt'; reason: string }

/** What is stored of an answer: its tokens for the next generation, or the answer as it came. */
export type Sealed = { sealed: string; keyId: string }

/**
 * Writes in one transaction what was decided about an attempt; twice does no harm. `sealed` is what
 * is stored of its answer, if anything is.
 */
export function recordDecision(
  attempt: AttemptRef,
  decision: Decision,
  sealed: Sealed | null = null,
): Promise<Settlement> {
  return withTenantSql(attempt.organizationId, async (sql) => {
    switch (decision.kind) {
      case 'renew':
        if (sealed === null) throw new Error('Renewed tokens have to be sealed.')
        return storeRenewed(sql, attempt, decision, sealed)
      case 'end':
        return endConnection(sql, attempt, decision)
      case 'postpone':
        return postpone(sql, attempt, decision, sealed)
      case 'doubt': {
        const { reason } = decision
        await finishAttempt(sql, attempt.organizationId, attempt.attemptId, { outcome: 'in_doubt', reason })
        await keepAnswer(sql, attempt, sealed)
        return { kind: 'in_doubt', reason }
      }
    }
  })
}

/**
 * Stores renewed tokens as the next generation, fenced on the generation that was sent: nothing is
 * stored when the row has moved on (a reconnect, or a worker that took over an ended lease). A
 * refresh token that stays keeps its lifetime.
 */
async function storeRenewed(
  sql: Sql,
  attempt: AttemptRef,
  { tokens, startedAt, notice }: Decision & { kind: 'renew' },
  { sealed, keyId }: Sealed,
): Promise<Settlement> {
  const { organizationId, connectionId, generation, attemptId } = attempt
  const stored = await sql(
    `update connection_credential set
       generation = generation + 1, sealed_tokens = $4, key_id = $5, obtained_at = $6,
       access_expires_at = $6::timestamptz + make_interval(secs => $7),
       refresh_expires_at = coalesce($8::timestamptz, refresh_expires_at),
       lease_owner = null, lease_until = null
     where organization_id = $1 and connection_id = $2 and generation = $3 returning 1 as stored`,
    [
      organizationId,
      connectionId,
      generation,
      sealed,
      keyId,
      startedAt,
      tokens.expiresInSeconds,
      tokens.refreshToken === null ? null : new Date(startedAt.getTime() + REFRESH_LIFETIME_SECONDS * 1000),
    ],
  )
  await finishAttempt(sql, organizationId, attemptId, { outcome: stored.length === 1 ? 'renewed' : 'fenced' })
  if (stored.length === 0) return { kind: 'fenced' }
  // a worker stopped past its lease may bring the tokens whose loss was already declared
  const recovered = await sql(
    `update connection set state = 'active', state_cause = null
     where organization_id = $1 and id = $2 and state = 'needs_reconnect' returning 1 as recovered`,
    [organizationId, connectionId],
  )
  await resolveNotices(sql, organizationId, connectionId)
  await raise(sql, attempt, notice)
  if (recovered.length > 0)
    await auditConnection(sql, organizationId, connectionId, { actor: WORKER, action: 'connection.recovered' })
  return { kind: 'renewed' }
}

/** Releases the lease, notes how the attempt ended and when the next call may be made. */
async function postpone(
  sql: Sql,
  attempt: AttemptRef,
  { outcome, reason, retryAfterSeconds, isImmediate, notice }: Postponement,
  sealed: Sealed | null,
): Promise<Settlement> {
  const { organizationId, connectionId, generation, attemptId, owner } = attempt
  const [before] = await sql<{ failures: number }>(
    `select count(*)::int as failures from refresh_attempt
     where organization_id = $1 and connection_id = $2 and generation = $3 and outcome = $4 and id <> $5
       and next_attempt_at is not null`,
    [organizationId, connectionId, generation, outcome, attemptId],
  )
  const pauseSeconds = toPauseSeconds(outcome, (before?.failures ?? 0) + 1, retryAfterSeconds)
  const nextAttemptInSeconds = isImmediate ? undefined : pauseSeconds
  await finishAttempt(sql, organizationId, attemptId, { outcome, reason, nextAttemptInSeconds })
  await sql(
    `update connection_credential set lease_owner = null, lease_until = null
     where organization_id = $1 and connection_id = $2 and lease_owner = $3`,
    [organizationId, connectionId, owner],
  )
  await keepAnswer(sql, attempt, sealed)
  await raise(sql, attempt, notice)
  const waitMs = isImmediate ? undefined : pauseSeconds * 1000
  return { kind: 'postponed', error: toPostponedError(outcome, `tokens are not renewed: ${reason}`, waitMs) }
}

/**
 * Ends a connection whose refresh token was refused, unless its generation has moved on: then newer
 * tokens, of another worker or a reconnect, are used instead. The cause: the token had run out, an
 * earlier request for the same generation got no answer, or neither.
 */
async function endConnection(
  sql: Sql,
  attempt: AttemptRef,
  { outcome, reason }: Decision & { kind: 'end' },
): Promise<Settlement> {
  const { organizationId, connectionId, attemptId } = attempt
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
    [organizationId, connectionId, attemptId],
  )
  await finishAttempt(sql, organizationId, attemptId, { outcome, reason })
  if (row?.generation !== attempt.generation) return { kind: 'fenced' }
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
  return { kind: 'ended', cause, reason }
}

function toCause(
  { isExpired, wasInDoubt }: { isExpired: boolean; wasInDoubt: boolean },
  outcome: 'invalid_grant' | 'rejected',
): ReconnectCause {
  if (isExpired) return 'refresh_expired'
  if (wasInDoubt) return 'lost_response'
  return outcome === 'rejected' ? 'rejected' : 'revoked_or_reused'
}

/** Keeps an answer that could not be read, for a version that can. */
async function keepAnswer(sql: Sql, { organizationId, attemptId }: AttemptRef, answer: Sealed | null): Promise<void> {
  if (answer === null) return
  await sql(
    'update refresh_attempt set sealed_answer = $3, answer_key_id = $4 where organization_id = $1 and id = $2',
    [organizationId, attemptId, answer.sealed, answer.keyId],
  )
}

async function raise(
  sql: Sql,
  { organizationId, connectionId }: AttemptRef,
  notice: Postponement['notice'],
): Promise<void> {
  if (notice === null) return
  // a refused client is about the whole program
  const subject = notice.kind === 'client_refused' ? null : connectionId
  await raiseNotice(sql, organizationId, { ...notice, connectionId: subject })
}
