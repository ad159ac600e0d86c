/**
 * Access tokens for the worker: only it can open the vault, and only it refreshes. A refresh token
 * works once, so exactly one process may send it (docs/decisions/006-token-refresh.md).
 */

import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type ErrorCode, OperationalError } from '#lib/errors.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import { openingKeys } from './key-ring.ts'
import { toPostponedError } from './refresh-backoff.ts'
import {
  type Credential,
  type CredentialState,
  judgeCredential,
  LEASE_SECONDS,
  readCredential,
  takeLease,
} from './refresh-lease.ts'
import { type RenewOptions, readClocks, renewTokens } from './renew-tokens.ts'
import { replaySpool } from './spool-replay.ts'
import { openTokens } from './vault.ts'

/** A token to use now. If the platform answers 401, pass `generation` as `forceGeneration`. */
export type AccessToken = { accessToken: string; generation: number; expiresAt: Date }

export type AccessTokenOptions = RenewOptions & {
  /** The generation that the platform refused with 401: renewed however fresh it looks. */
  forceGeneration?: number
}

/** How long before they run out tokens are renewed; random, to spread workers and connections. */
const MARGIN_SECONDS = { least: 300, most: 600 }
/** Longer than the four calls, with pauses, of a worker that gets no answer. */
const PATIENCE_MS = (LEASE_SECONDS + 5) * 1000
const POLL_MS = { first: 25, longest: 300 }

/**
 * The connection's access token with some minutes left, renewed first when it is old. While another
 * worker renews it, or the platform cannot right now, the current token is used as long as it
 * lasts. Once it has run out, this waits for the other worker. The database's clock decides whether
 * a token is old.
 * @throws OperationalError connection-needs-reconnect, partner-client-refused, partner-throttled,
 * partner-unreachable, partner-bad-answer, connection-busy, token-unreadable, database-unavailable,
 * spool-unavailable; with `retryAfterMs` where a moment is known
 */
export async function getAccessToken(
  organizationId: OrganizationId,
  connectionId: ConnectionId,
  { forceGeneration, ...options }: AccessTokenOptions = {},
): Promise<AccessToken> {
  openingKeys() // first of all: a process that cannot open tokens must not note or ask anything
  const marginSeconds = randomInt(MARGIN_SECONDS.least, MARGIN_SECONDS.most + 1)
  const wanted = {
    marginSeconds,
    forceGeneration: forceGeneration ?? null,
    owner: randomUUID(),
    leaseSeconds: options.leaseSeconds,
  }
  const read = (margin: number) => readCredential(organizationId, connectionId, margin)
  const use = (credential: Credential) => toAccessToken(connectionId, credential)
  const isGoodForNow = (credential: Credential) => credential.isAlive && credential.generation !== forceGeneration

  let hasReplayed = false
  let pollMs = POLL_MS.first
  for (const giveUpAt = performance.now() + PATIENCE_MS; performance.now() < giveUpAt; ) {
    const seen = judgeCredential(await read(marginSeconds), wanted)
    const isSettled = seen.kind === 'usable' || seen.kind === 'busy'
    // first store what an earlier process of this machine received and could not store
    if (!isSettled && !hasReplayed) {
      hasReplayed = true
      if ((await replaySpool(connectionId)) > 0) continue
    }
    const leasedSince = (options.readClocks ?? readClocks)()
    if (seen.kind === 'due') await options.failpoint?.('before-intent')
    const state = seen.kind === 'due' ? await takeLease(organizationId, connectionId, wanted) : seen
    if (state.kind === 'usable') return use(state.credential)
    if (state.kind === 'none' || state.kind === 'ended') throw toRefusal(connectionId, state)
    if (state.kind === 'leased') {
      await options.failpoint?.('after-intent')
      try {
        await renewTokens(organizationId, connectionId, state.lease, { ...options, leasedSince })
      } catch (thrown) {
        const { credential } = state.lease
        if (isPassing(thrown) && isGoodForNow(credential)) return use(credential)
        throw thrown
      }
      // use a new token however short it lives, or it would be renewed over and over
      const renewed = await read(0)
      if (renewed?.state === 'active' && renewed.generation > state.lease.credential.generation) return use(renewed)
      continue
    }
    if (isGoodForNow(state.credential)) return use(state.credential)
    if (state.kind === 'postponed') throw toPostponement(connectionId, state.credential)
    await pause(pollMs + randomInt(POLL_MS.first), undefined, { signal: options.signal })
    pollMs = Math.min(pollMs * 2, POLL_MS.longest)
  }
  throw new OperationalError('connection-busy', `another worker is renewing connection ${connectionId}`)
}

const PASSING: ReadonlySet<ErrorCode> = new Set([
  'partner-throttled',
  'partner-unreachable',
  'partner-bad-answer',
  'partner-client-refused',
  'database-unavailable',
  'spool-unavailable',
])

function isPassing(thrown: unknown): boolean {
  return thrown instanceof OperationalError && PASSING.has(thrown.code)
}

function toPostponement(connectionId: ConnectionId, { lastOutcome, waitMs }: Credential): OperationalError {
  const message = `connection ${connectionId} is renewed in ${Math.ceil(waitMs / 1000)} s at the earliest (${lastOutcome})`
  return toPostponedError(lastOutcome, message, waitMs)
}

function toRefusal(connectionId: ConnectionId, state: Extract<CredentialState, { kind: 'none' | 'ended' }>) {
  const why = state.kind === 'none' ? 'has no tokens' : `is ${state.state} (${state.cause ?? 'no cause noted'})`
  return new OperationalError('connection-needs-reconnect', `connection ${connectionId} ${why}`)
}

async function toAccessToken(connectionId: ConnectionId, credential: Credential): Promise<AccessToken> {
  const { generation, sealedTokens, accessExpiresAt } = credential
  const { accessToken } = await openTokens(sealedTokens, { connectionId, generation }, openingKeys())
  return { accessToken, generation, expiresAt: accessExpiresAt }
}
