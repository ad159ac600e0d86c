/**
 * Who may renew a connection's tokens: one worker at a time, by a lease that is committed before its request leaves
 * (docs/decisions/006-token-refresh.md). All moments are the database's clock: workers with a wrong clock do no harm.
 */
import { type Sql, withTenantSql } from '../db/tenant.ts'
import type { ReconnectCause } from './model.ts'

/** Longer than the deadline of the token request, so that a lease outlives its request. */
export const LEASE_SECONDS = 60
export const TOKEN_DEADLINE_MS = 30_000

export type Credential = { generation: number; sealedTokens: string; accessExpiresAt: Date; isFresh: boolean }

/** A committed permission to send one refresh request for one generation. */
export type RefreshLease = { attemptId: string; owner: string; credential: Credential; startedAt: Date }

export type CredentialState =
  | { kind: 'none' }
  | { kind: 'needs_reconnect'; cause: string | null }
  | { kind: 'usable'; credential: Credential }
  /** The token is old and another worker is renewing it. */
  | { kind: 'busy' }
  | { kind: 'leased'; lease: RefreshLease }

type Row = Credential & {
  state: string
  cause: string | null
  isLeased: boolean
  now: Date
}

const READ = `
  select c.state, c.state_cause as cause, k.generation, k.sealed_tokens as "sealedTokens",
         k.access_expires_at as "accessExpiresAt",
         k.access_expires_at - least(make_interval(secs => $3), (k.access_expires_at - k.obtained_at) / 4)
           > clock_timestamp() as "isFresh",
         coalesce(k.lease_until > clock_timestamp(), false) as "isLeased", clock_timestamp() as now
  from connection c
  join connection_credential k on k.organization_id = c.organization_id and k.connection_id = c.id
  where c.organization_id = $1 and c.id = $2`

/** A connection's credential as it is, or null. `isFresh`: the margin, or a quarter of the lifetime if that is less, is left. */
export async function readCredential(
  organizationId: string,
  connectionId: string,
  marginSeconds: number,
): Promise<Row | null> {
  const [row] = await withTenantSql(organizationId, (sql) =>
    sql<Row>(READ, [organizationId, connectionId, marginSeconds]),
  )
  return row ?? null
}

/**
 * Reads the credential under a row lock and, when it still has to be renewed and nobody else is at it, writes an attempt and
 * a lease. Nothing is locked any more when this returns; without the commit there is no lease and no request.
 */
export function takeLease(
  organizationId: string,
  connectionId: string,
  options: { owner: string; marginSeconds: number; forceGeneration: number | null },
): Promise<CredentialState> {
  return withTenantSql(organizationId, async (sql) => {
    const [row] = await sql<Row>(`${READ} for update of k`, [organizationId, connectionId, options.marginSeconds])
    if (row === undefined) return { kind: 'none' }
    if (row.state !== 'active') return { kind: 'needs_reconnect', cause: row.cause }
    if (!isOutdated(row, options.forceGeneration)) return { kind: 'usable', credential: row }
    if (row.isLeased) return { kind: 'busy' }
    return { kind: 'leased', lease: await writeLease(sql, organizationId, connectionId, row, options.owner) }
  })
}

/** True when a credential has to be renewed: too old, or just refused by the partner. */
export function isOutdated(credential: Credential, forceGeneration: number | null): boolean {
  return !credential.isFresh || credential.generation === forceGeneration
}

async function writeLease(
  sql: Sql,
  organizationId: string,
  connectionId: string,
  credential: Credential,
  owner: string,
): Promise<RefreshLease> {
  const [attempt] = await sql<{ id: string; startedAt: Date }>(
    `insert into refresh_attempt (organization_id, connection_id, generation, started_at)
     values ($1, $2, $3, clock_timestamp()) returning id, started_at as "startedAt"`,
    [organizationId, connectionId, credential.generation],
  )
  await sql(
    `update connection_credential set lease_owner = $3, lease_until = clock_timestamp() + make_interval(secs => $4)
     where organization_id = $1 and connection_id = $2`,
    [organizationId, connectionId, owner, LEASE_SECONDS],
  )
  const { id: attemptId, startedAt } = attempt as { id: string; startedAt: Date }
  return { attemptId, owner, credential, startedAt }
}

export type RenewedCredential = {
  sealedTokens: string
  keyId: string
  expiresInSeconds: number
  /** Null when the refresh token stayed the same, and with it its lifetime. */
  refreshLifetimeSeconds: number | null
}

/**
 * Stores renewed tokens as the next generation, fenced on the generation that was sent: false when the row has moved on
 * meanwhile (a reconnect, or a worker that took over an ended lease), in which case nothing is stored.
 */
export function storeRenewed(
  organizationId: string,
  connectionId: string,
  lease: RefreshLease,
  renewed: RenewedCredential,
): Promise<boolean> {
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
        lease.credential.generation,
        renewed.sealedTokens,
        renewed.keyId,
        lease.startedAt,
        renewed.expiresInSeconds,
        renewed.refreshLifetimeSeconds,
      ],
    )
    await finishAttempt(sql, organizationId, lease, stored.length === 1 ? 'renewed' : 'fenced')
    if (stored.length === 0) return false
    // a worker that was stopped past its lease may bring the tokens whose loss had already been declared
    await sql(
      `update connection set state = 'active', state_cause = null
       where organization_id = $1 and id = $2 and state = 'needs_reconnect'`,
      [organizationId, connectionId],
    )
    return true
  })
}

/** Gives the lease back, if it is still this worker's, and notes how the attempt ended. */
export function releaseLease(
  organizationId: string,
  connectionId: string,
  lease: RefreshLease,
  outcome: string,
): Promise<void> {
  return withTenantSql(organizationId, async (sql) => {
    await finishAttempt(sql, organizationId, lease, outcome)
    await sql(
      `update connection_credential set lease_owner = null, lease_until = null
       where organization_id = $1 and connection_id = $2 and lease_owner = $3`,
      [organizationId, connectionId, lease.owner],
    )
  })
}

/**
 * Ends a connection whose refresh token was refused, unless its generation has moved on meanwhile (then null). The cause:
 * the token had run out, an earlier request for the same generation had ended without an answer, or neither.
 */
export function endConnection(
  organizationId: string,
  connectionId: string,
  lease: RefreshLease,
  outcome: 'invalid_grant' | 'rejected',
): Promise<ReconnectCause | null> {
  return withTenantSql(organizationId, async (sql) => {
    const [row] = await sql<{ generation: number; isExpired: boolean; wasInDoubt: boolean }>(
      `select k.generation, k.refresh_expires_at <= clock_timestamp() as "isExpired",
              exists (select from refresh_attempt a
                      where a.organization_id = k.organization_id and a.connection_id = k.connection_id
                        and a.generation = k.generation and a.id <> $3
                        and (a.outcome is null or a.outcome = 'in_doubt')) as "wasInDoubt"
       from connection_credential k where k.organization_id = $1 and k.connection_id = $2 for update`,
      [organizationId, connectionId, lease.attemptId],
    )
    await finishAttempt(sql, organizationId, lease, outcome)
    if (row?.generation !== lease.credential.generation) return null
    const cause = toCause(row, outcome)
    await sql(
      `update connection set state = 'needs_reconnect', state_cause = $3 where organization_id = $1 and id = $2`,
      [organizationId, connectionId, cause],
    )
    await sql(
      `update connection_credential set lease_owner = null, lease_until = null
       where organization_id = $1 and connection_id = $2`,
      [organizationId, connectionId],
    )
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

async function finishAttempt(sql: Sql, organizationId: string, lease: RefreshLease, outcome: string): Promise<void> {
  await sql(
    `update refresh_attempt set finished_at = clock_timestamp(), outcome = $3 where organization_id = $1 and id = $2`,
    [organizationId, lease.attemptId, outcome],
  )
}
