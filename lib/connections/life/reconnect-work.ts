/**
 * Whether a consent to reconnect is for the account whose data is stored. The worker reads the
 * profiles with the new tokens; one shared profile id means the same account. Until then, and if
 * the account is another, nothing of it is stored in the connection.
 */

import { withSystemSql, withTenantSql } from '#lib/db/tenant.ts'
import { claim } from '#lib/db/work/claim.ts'
import { OperationalError } from '#lib/errors.ts'
import { log } from '#lib/log.ts'
import { PartnerError } from '#lib/partner/partner-error.ts'
import type { ProfileRecord } from '#lib/reconcile/records.ts'
import type { ClaimedCandidate } from '../claims.ts'
import { openingKeys } from '../tokens/key-ring.ts'
import { openBytes } from '../tokens/vault.ts'
import { readAllProfiles } from './reconnect-profiles.ts'
import { type CandidateTokens, confirmCandidate, giveUpCandidate, refuseCandidate } from './reconnect-settle.ts'

/** Longer than reading a few pages of profiles takes. After it, another worker takes over. */
const HOLD_SECONDS = 120
const PAUSE_SECONDS = { first: 5, longest: 300 }

/** Claims the consent that has waited longest for its check; null when none is due. */
export function claimCandidate(): Promise<ClaimedCandidate | null> {
  return withSystemSql((sql) =>
    claim<ClaimedCandidate>(sql, {
      table: 'connection_candidate',
      key: 'organization_id, connection_id',
      isDue: `status = 'unchecked' and next_try_at <= statement_timestamp()`,
      order: 'next_try_at',
      hold: `fence = fence + 1, attempts = attempts + 1,
        next_try_at = statement_timestamp() + make_interval(secs => ${HOLD_SECONDS})`,
      returning: `organization_id as "organizationId", connection_id as "connectionId", sealed_for as "sealedFor",
        generation, sealed_tokens as "sealedTokens", attempts, access_expires_at <= statement_timestamp() as "isExpired",
        fence::text`,
    }),
  )
}

/** Finds out whose account a consent is for, and settles it. Retries what may pass. */
export async function checkCandidate(candidate: ClaimedCandidate): Promise<void> {
  const { connectionId } = candidate
  // do not renew an access token for this: after an hour a new consent costs just a click
  if (candidate.isExpired) return giveUpCandidate(candidate, 'expired')
  const tokens = await openCandidate(candidate)
  if (tokens === null) return giveUpCandidate(candidate, 'unreadable')
  let profiles: Pick<ProfileRecord, 'id' | 'name'>[]
  try {
    profiles = await readAllProfiles(tokens.accessToken)
  } catch (thrown) {
    if (!(thrown instanceof PartnerError)) throw thrown
    log.warn({ connection: connectionId, reason: thrown.message }, 'the account of a consent could not be read')
    const isFinal = thrown.kind === 'unauthorized' || thrown.kind === 'forbidden' || thrown.kind === 'rejected'
    return isFinal ? giveUpCandidate(candidate, thrown.kind) : tryLater(candidate, thrown.kind, thrown.retryAfterMs)
  }
  const stored = await readStoredProfileIds(candidate)
  // an account without profiles cannot be identified, and an outage looks the same
  if (stored.size > 0 && profiles.length === 0) return tryLater(candidate, 'no_profiles')
  const isSame = stored.size === 0 || profiles.some(({ id }) => stored.has(id))
  log.info({ connection: connectionId, isSame, profiles: profiles.length }, 'the account of a consent was compared')
  return isSame ? confirmCandidate(candidate, tokens) : refuseCandidate(candidate, profiles)
}

async function openCandidate(candidate: ClaimedCandidate): Promise<CandidateTokens | null> {
  const context = { connectionId: candidate.sealedFor, generation: candidate.generation }
  try {
    const bytes = await openBytes(candidate.sealedTokens, context, openingKeys())
    return JSON.parse(bytes.toString()) as CandidateTokens
  } catch (thrown) {
    if (!(thrown instanceof OperationalError) || thrown.code !== 'token-unreadable') throw thrown
    log.error(
      { connection: candidate.connectionId, reason: thrown.message },
      'the tokens of a consent cannot be opened',
    )
    return null
  }
}

async function readStoredProfileIds({ organizationId, connectionId }: ClaimedCandidate): Promise<Set<string>> {
  const rows = await withTenantSql(organizationId, (sql) =>
    sql<{ id: string }>('select id from profile where organization_id = $1 and connection_id = $2', [
      organizationId,
      connectionId,
    ]),
  )
  return new Set(rows.map((row) => row.id))
}

async function tryLater(candidate: ClaimedCandidate, problem: string, retryAfterMs?: number): Promise<void> {
  const doubled = Math.min(PAUSE_SECONDS.longest, PAUSE_SECONDS.first * 2 ** Math.min(candidate.attempts - 1, 20))
  const seconds = retryAfterMs === undefined ? doubled : Math.max(1, retryAfterMs / 1000)
  await withTenantSql(candidate.organizationId, (sql) =>
    sql(
      `update connection_candidate set next_try_at = statement_timestamp() + make_interval(secs => $4), last_problem = $5
       where organization_id = $1 and connection_id = $2 and fence = $3`,
      [candidate.organizationId, candidate.connectionId, candidate.fence, seconds, problem],
    ),
  )
}
