/**
 * How the worker carries out a wish to disconnect: end the link on the platform, destroy the
 * tokens, delete the data if chosen. Each step commits before the next. When a worker dies, the
 * next repeats its step.
 */

import { WORKER } from '#lib/audit/model.ts'
import { withSystemSql, withTenantSql } from '#lib/db/tenant.ts'
import { claim } from '#lib/db/work/claim.ts'
import { OperationalError } from '#lib/errors.ts'
import { log } from '#lib/log.ts'
import type { ClaimedDisconnect } from '../claims.ts'
import { auditConnection } from '../events/audit-connection.ts'
import { recordEvent } from '../events/history.ts'
import { openingKeys } from '../tokens/key-ring.ts'
import { moveConnection } from '../tokens/move-connection.ts'
import { replaySpool } from '../tokens/spool-replay.ts'
import { openTokens } from '../tokens/vault.ts'
import { destroyTokens } from './disconnect-destroy.ts'
import { eraseBatch, finishErasing } from './disconnect-erase.ts'
import { type RevokeOutcome, revokeOnce } from './disconnect-revoke.ts'

/** Longer than one request to revoke, or one batch of deletions. */
const LEASE_SECONDS = 90
/** Pauses between tries to revoke, doubling from the first to the longest. */
const PAUSE_SECONDS = { first: 5, longest: 3600 }
const BATCHES_PER_TURN = 20

/** Claims the due wish that has waited longest, of any organization; null when none is due. */
export function claimDisconnect(): Promise<ClaimedDisconnect | null> {
  return withSystemSql((sql) =>
    claim<ClaimedDisconnect>(sql, {
      table: 'disconnection',
      key: 'organization_id, id',
      isDue: `finished_at is null and next_try_at <= statement_timestamp()
        and coalesce(lease_until, '-infinity') <= statement_timestamp()`,
      order: 'next_try_at',
      hold: `fence = fence + 1, lease_until = statement_timestamp() + make_interval(secs => ${LEASE_SECONDS})`,
      returning: `organization_id as "organizationId", id, connection_id as "connectionId", data_choice as "dataChoice",
        outcome, attempts, fence::text`,
    }),
  )
}

/**
 * Does what can be done now about a claimed wish, and puts off the rest. Data beyond some batches
 * waits too, to give others their turn. Stops between batches when `signal` fires.
 */
export async function workOnDisconnect(wish: ClaimedDisconnect, signal: AbortSignal): Promise<void> {
  const hasEnded = wish.outcome !== null || (await endLink(wish))
  if (!hasEnded) return
  let isErased = wish.dataChoice === 'keep'
  for (let batch = 0; !isErased; batch++) {
    if (signal.aborted || batch === BATCHES_PER_TURN) return putOff(wish, 0, null)
    isErased = !(await eraseBatch(wish, LEASE_SECONDS))
  }
  await finish(wish)
}

/** True when the link has ended and its tokens are destroyed; false when that must wait. */
async function endLink(wish: ClaimedDisconnect): Promise<boolean> {
  // an answer spooled on this machine's disk holds newer tokens than the database
  await replaySpool(wish.connectionId)
  const credential = await readForRevoking(wish)
  if (credential === null) return destroyTokens(wish, 'no_tokens')
  // a renewal under way is using up the token at hand; the token to revoke is the one it brings
  if (credential.leaseEndsInMs > 0) {
    await putOff(wish, Math.min(credential.leaseEndsInMs / 1000, 1), null)
    return false
  }
  const refreshToken = await openRefreshToken(wish, credential)
  if (refreshToken === null) return destroyTokens(wish, 'unreadable')
  const outcome = await revokeOnce(refreshToken)
  log.info({ connection: wish.connectionId, outcome: outcome.kind }, 'revoke was asked for')
  if (outcome.kind === 'alive') {
    // the platform has not confirmed the end, but an expired token ends by itself
    if (credential.isExpired) return destroyTokens(wish, 'expired')
    await noteFailure(wish, outcome)
    return false
  }
  return destroyTokens(wish, outcome.kind, credential.isInDoubt)
}

type RevocableCredential = {
  generation: number
  sealedTokens: string
  leaseEndsInMs: number
  isExpired: boolean
  /** The last renewal got no answer: the platform may hold newer tokens that nobody has. */
  isInDoubt: boolean
}

async function readForRevoking({
  organizationId,
  connectionId,
}: ClaimedDisconnect): Promise<RevocableCredential | null> {
  const [row] = await withTenantSql(organizationId, (sql) =>
    sql<RevocableCredential>(
      `select k.generation, k.sealed_tokens as "sealedTokens", k.refresh_expires_at <= clock_timestamp() as "isExpired",
              greatest(0, coalesce(extract(epoch from k.lease_until - clock_timestamp()) * 1000, 0))::float8 as "leaseEndsInMs",
              exists (select from refresh_attempt a
                      where a.organization_id = k.organization_id and a.connection_id = k.connection_id
                        and a.generation = k.generation and (a.outcome is null or a.outcome in ('in_doubt', 'answer_kept')))
                as "isInDoubt"
       from connection_credential k where k.organization_id = $1 and k.connection_id = $2`,
      [organizationId, connectionId],
    ),
  )
  return row ?? null
}

async function openRefreshToken(wish: ClaimedDisconnect, credential: RevocableCredential): Promise<string | null> {
  const { generation, sealedTokens } = credential
  try {
    const context = { connectionId: wish.connectionId, generation }
    return (await openTokens(sealedTokens, context, openingKeys())).refreshToken
  } catch (thrown) {
    if (!(thrown instanceof OperationalError) || thrown.code !== 'token-unreadable') throw thrown
    log.error({ connection: wish.connectionId, reason: thrown.message }, 'a token to revoke cannot be opened')
    return null
  }
}

async function noteFailure(wish: ClaimedDisconnect, outcome: Extract<RevokeOutcome, { kind: 'alive' }>): Promise<void> {
  const doubled = Math.min(PAUSE_SECONDS.longest, PAUSE_SECONDS.first * 2 ** Math.min(wish.attempts, 20))
  const pause = outcome.retryAfterMs === null ? doubled : Math.max(1, outcome.retryAfterMs / 1000)
  await putOff(wish, pause, outcome.problem)
  const level = outcome.problem === 'client_refused' ? 'error' : 'warn'
  log[level](
    { connection: wish.connectionId, problem: outcome.problem, attempts: wish.attempts + 1 },
    'not revoked yet',
  )
}

/** Puts the wish off. With a problem the try counts, and a new problem goes into the history. */
async function putOff(wish: ClaimedDisconnect, seconds: number, problem: string | null): Promise<void> {
  const { organizationId, connectionId } = wish
  await withTenantSql(organizationId, async (sql) => {
    const [before] = await sql<{ lastProblem: string | null }>(
      `select last_problem as "lastProblem" from disconnection
       where organization_id = $1 and id = $2 and fence = $3 for update`,
      [organizationId, wish.id, wish.fence],
    )
    if (before === undefined) return
    await sql(
      `update disconnection set lease_until = null, next_try_at = statement_timestamp() + make_interval(secs => $3),
              attempts = attempts + $4, last_problem = coalesce($5, last_problem)
       where organization_id = $1 and id = $2`,
      [organizationId, wish.id, seconds, problem === null ? 0 : 1, problem],
    )
    if (problem !== null && problem !== before.lastProblem)
      await recordEvent(sql, organizationId, connectionId, { kind: 'revoke_failed', cause: problem })
  })
}

async function finish(wish: ClaimedDisconnect): Promise<void> {
  const { organizationId, connectionId } = wish
  await withTenantSql(organizationId, async (sql) => {
    const ended = await sql(
      `update disconnection set finished_at = statement_timestamp(), lease_until = null
       where organization_id = $1 and id = $2 and fence = $3 and finished_at is null returning 1 as ended`,
      [organizationId, wish.id, wish.fence],
    )
    if (ended.length === 0) return
    if (wish.dataChoice === 'delete') await finishErasing(sql, wish)
    await moveConnection(sql, organizationId, connectionId, { to: 'disconnected', cause: null, actorId: null })
    await auditConnection(sql, organizationId, connectionId, {
      actor: WORKER,
      action: 'connection.disconnected',
      after: { data: wish.dataChoice },
    })
  })
}
