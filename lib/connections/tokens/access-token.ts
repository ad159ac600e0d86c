/**
 * Access tokens for the worker, which alone can open the vault and alone refreshes. A refresh token
 * works once, so that of any number of processes exactly one may send it
 * (docs/decisions/006-token-refresh.md).
 */

import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type ErrorCode, OperationalError } from '#lib/errors.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import { openingKeys } from './key-ring.ts'
import { LONGEST_WAIT_FOR_READER_MS } from './refresh-answer.ts'
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

/**
 * An access token to use now. `generation` is what `forceGeneration` wants when the partner answers
 * 401 to it.
 */
export type AccessToken = { accessToken: string; generation: number; expiresAt: Date }

export type AccessTokenOptions = RenewOptions & {
  /**
   * The generation whose access token the partner has just refused with 401: it is renewed however
   * fresh it looks.
   */
  forceGeneration?: number
}

/**
 * Tokens are renewed this long before they run out, each time another, so that workers and
 * connections do not bunch.
 */
const MARGIN_SECONDS = { least: 300, most: 600 }
/** Longer than the four calls of a worker that does not get an answer, with their pauses. */
const PATIENCE_MS = (LEASE_SECONDS + 5) * 1000
const POLL_MS = { first: 25, longest: 300 }

/**
 * An access token of the connection with some minutes left, renewed first when it is old. While
 * another worker renews it, or the platform cannot renew it just now, the token at hand is used for
 * as long as it lasts; when it has run out, this waits for the other worker. Whether a token is old
 * is decided by the database's clock.
 * @throws OperationalError connection-needs-reconnect, partner-client-refused, partner-throttled,
 * partner-unreachable, partner-bad-answer, connection-busy, token-unreadable, database-unavailable,
 * spool-unavailable; with `retryAfterMs` where a moment is known
 */
export async function getAccessToken(
  organizationId: OrganizationId,
  connectionId: ConnectionId,
  { forceGeneration, ...options }: AccessTokenOptions = {},
): Promise<AccessToken> {
  openingKeys() // before anything is noted or asked: a process that cannot open tokens has no business here
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
    // what an earlier process of this machine got and could not store comes before any new call
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
      // what has just come is used, however soon it runs out: a short-lived token must not be
      // renewed in a circle
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

const CODE_OF: Record<string, ErrorCode> = {
  retry_later: 'partner-throttled',
  not_sent: 'partner-unreachable',
  no_room: 'spool-unavailable',
  invalid_client: 'partner-client-refused',
}

function toPostponement(connectionId: ConnectionId, { lastOutcome, waitMs }: Credential): OperationalError {
  const code = CODE_OF[lastOutcome ?? ''] ?? 'partner-bad-answer'
  const message = `connection ${connectionId} is renewed in ${Math.ceil(waitMs / 1000)} s at the earliest (${lastOutcome})`
  const retryAfterMs = lastOutcome === 'answer_kept' ? Math.min(waitMs, LONGEST_WAIT_FOR_READER_MS) : waitMs
  return new OperationalError(code, message, { retryAfterMs })
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
