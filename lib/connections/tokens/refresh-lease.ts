/**
 * Who may renew a connection's tokens: one worker at a time, under a lease committed before its
 * request leaves (docs/decisions/006-token-refresh.md). All moments are by the database's clock, so
 * a worker's wrong clock does no harm.
 */

import { type Sql, withTenantSql } from '#lib/db/tenant.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'

/** Longer than the token request's deadline: a lease outlives its request. */
export const LEASE_SECONDS = 60
/** A token with less life left is not handed out: it could run out on its way. */
const LEAST_LIFE_SECONDS = 30

export type Credential = {
  state: string
  cause: string | null
  generation: number
  sealedTokens: string
  accessExpiresAt: Date
  /** The margin is left, or a quarter of the lifetime if that is less. */
  isFresh: boolean
  /** Some seconds are left: good for a call now, if there is nothing better. */
  isAlive: boolean
  isLeased: boolean
  /** Calls for this generation that the platform may or may not have acted on. */
  doubtfulCalls: number
  /** How the last attempt for this generation ended; null if there was none or it never did. */
  lastOutcome: string | null
  /** How long the next call has to wait (Retry-After, back-off); 0 when it may be made now. */
  waitMs: number
}

/** A committed permission to send one refresh request for one generation. */
export type RefreshLease = { attemptId: string; owner: string; credential: Credential; startedAt: Date }

/** A token with this margin, and not of the generation that the platform has just refused. */
export type Wanted = { marginSeconds: number; forceGeneration: number | null }

export type CredentialState =
  | { kind: 'none' }
  /** The connection is not active: its token is neither used nor renewed. */
  | { kind: 'ended'; state: string; cause: string | null }
  | { kind: 'usable'; credential: Credential }
  /** The token is old and another worker is renewing it. */
  | { kind: 'busy'; credential: Credential }
  /** The token is old and must not be sent yet. */
  | { kind: 'postponed'; credential: Credential }
  | { kind: 'due'; credential: Credential }

const READ = `
  select c.state, c.state_cause as cause, k.generation, k.sealed_tokens as "sealedTokens",
         k.access_expires_at as "accessExpiresAt",
         k.access_expires_at - least(make_interval(secs => $3), (k.access_expires_at - k.obtained_at) / 4)
           > clock_timestamp() as "isFresh",
         k.access_expires_at - least(make_interval(secs => ${LEAST_LIFE_SECONDS}), (k.access_expires_at - k.obtained_at) / 4)
           > clock_timestamp() as "isAlive",
         coalesce(k.lease_until > clock_timestamp(), false) as "isLeased",
         a."doubtfulCalls", a."lastOutcome",
         greatest(0, coalesce(extract(epoch from a."nextAttemptAt" - clock_timestamp()) * 1000, 0))::float8 as "waitMs"
  from connection c
  join connection_credential k on k.organization_id = c.organization_id and k.connection_id = c.id
  cross join lateral (
    select count(*) filter (where outcome is null or outcome in ('in_doubt', 'answer_kept'))::int as "doubtfulCalls",
           (array_agg(outcome order by started_at desc))[1] as "lastOutcome",
           max(next_attempt_at) as "nextAttemptAt"
    from refresh_attempt r
    where r.organization_id = k.organization_id and r.connection_id = k.connection_id and r.generation = k.generation) a
  where c.organization_id = $1 and c.id = $2`

/** A connection's current credential, or null. */
export async function readCredential(
  organizationId: OrganizationId,
  connectionId: ConnectionId,
  marginSeconds: number,
): Promise<Credential | null> {
  const [row] = await withTenantSql(organizationId, (sql) =>
    sql<Credential>(READ, [organizationId, connectionId, marginSeconds]),
  )
  return row ?? null
}

/** What has to happen before a credential yields the wanted token. */
export function judgeCredential(credential: Credential | null, wanted: Wanted): CredentialState {
  if (credential === null) return { kind: 'none' }
  const { state, cause, isFresh, generation, isLeased, waitMs } = credential
  if (state !== 'active') return { kind: 'ended', state, cause }
  if (isFresh && generation !== wanted.forceGeneration) return { kind: 'usable', credential }
  if (isLeased) return { kind: 'busy', credential }
  return { kind: waitMs > 0 ? 'postponed' : 'due', credential }
}

/**
 * Reads the credential under a row lock. If it still needs renewal and no one else is renewing it,
 * writes an attempt and a lease. All locks are released on return; without the commit there is no
 * lease and no request.
 */
export function takeLease(
  organizationId: OrganizationId,
  connectionId: ConnectionId,
  wanted: Wanted & { owner: string; leaseSeconds?: number },
): Promise<Exclude<CredentialState, { kind: 'due' }> | { kind: 'leased'; lease: RefreshLease }> {
  return withTenantSql(organizationId, async (sql) => {
    // a separate statement, for what is read beside the row must be as new as the row itself; a
    // second worker skips the lock, since waiting would cost a durable commit for nothing
    const [free] = await sql(
      `select 1 as free from connection_credential
       where organization_id = $1 and connection_id = $2 and coalesce(lease_until, '-infinity') <= statement_timestamp()
       for update skip locked`,
      [organizationId, connectionId],
    )
    const [row] = await sql<Credential>(READ, [organizationId, connectionId, wanted.marginSeconds])
    const state = judgeCredential(row ?? null, wanted)
    if (state.kind !== 'due') return state
    if (free === undefined) return { kind: 'busy', credential: state.credential }
    const lease = await writeLease(sql, organizationId, connectionId, { ...wanted, credential: state.credential })
    return { kind: 'leased', lease }
  })
}

/**
 * Ends an attempt that brought no answer, and in the same transaction writes the next one and
 * extends the lease, so the token may be sent once more. Null when lease or generation is no longer
 * ours: nothing may be sent.
 */
export function continueLease(
  organizationId: OrganizationId,
  connectionId: ConnectionId,
  lease: RefreshLease,
  { reason, leaseSeconds }: { reason: string; leaseSeconds?: number },
): Promise<RefreshLease | null> {
  return withTenantSql(organizationId, async (sql) => {
    await finishAttempt(sql, organizationId, lease.attemptId, { outcome: 'in_doubt', reason })
    const [held] = await sql(
      `select 1 as held from connection_credential k join connection c on c.organization_id = k.organization_id and c.id = k.connection_id
       where k.organization_id = $1 and k.connection_id = $2 and k.generation = $3 and k.lease_owner = $4 and c.state = 'active'
       for update of k`,
      [organizationId, connectionId, lease.credential.generation, lease.owner],
    )
    if (held === undefined) return null
    return writeLease(sql, organizationId, connectionId, { ...lease, leaseSeconds })
  })
}

async function writeLease(
  sql: Sql,
  organizationId: OrganizationId,
  connectionId: ConnectionId,
  { credential, owner, leaseSeconds = LEASE_SECONDS }: { credential: Credential; owner: string; leaseSeconds?: number },
): Promise<RefreshLease> {
  const [attempt] = await sql<{ id: string; startedAt: Date }>(
    `insert into refresh_attempt (organization_id, connection_id, generation, started_at)
     values ($1, $2, $3, clock_timestamp()) returning id, started_at as "startedAt"`,
    [organizationId, connectionId, credential.generation],
  )
  await sql(
    `update connection_credential set lease_owner = $3, lease_until = statement_timestamp() + make_interval(secs => $4)
     where organization_id = $1 and connection_id = $2`,
    [organizationId, connectionId, owner, leaseSeconds],
  )
  const { id: attemptId, startedAt } = attempt as { id: string; startedAt: Date }
  return { attemptId, owner, credential, startedAt }
}

/** How an attempt ended. `nextAttemptInSeconds`: no call for the same generation before then. */
export type AttemptEnd = { outcome: string; reason?: string; nextAttemptInSeconds?: number }

/** Notes how an attempt ended; the first note stands, even if a second comes. */
export async function finishAttempt(
  sql: Sql,
  organizationId: OrganizationId,
  attemptId: string,
  { outcome, reason, nextAttemptInSeconds }: AttemptEnd,
): Promise<void> {
  await sql(
    `update refresh_attempt set
       finished_at = least(finished_at, statement_timestamp()), outcome = coalesce(outcome, $3), reason = coalesce(reason, $4),
       next_attempt_at = least(statement_timestamp() + make_interval(secs => $5), case when $5 is null then next_attempt_at end)
     where organization_id = $1 and id = $2`,
    [organizationId, attemptId, outcome, reason?.slice(0, 500) ?? null, nextAttemptInSeconds ?? null],
  )
}
