/**
 * Access tokens for the worker, which alone can open the vault and alone refreshes. A refresh token works once, so that
 * of any number of processes exactly one may send it (docs/decisions/006-token-refresh.md).
 */
import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { requireSetting } from '../env.ts'
import { OperationalError } from '../errors.ts'
import {
  type Credential,
  type CredentialState,
  isOutdated,
  LEASE_SECONDS,
  readCredential,
  takeLease,
} from './refresh-lease.ts'
import { renewTokens } from './renew-tokens.ts'
import { openTokens } from './vault.ts'

/** An access token to use now. `generation` is what `forceGeneration` wants when the partner answers 401 to it. */
export type AccessToken = { accessToken: string; generation: number; expiresAt: Date }

export type AccessTokenOptions = {
  /** The generation whose access token the partner has just refused with 401: it is renewed however fresh it looks. */
  forceGeneration?: number
}

/** Tokens are renewed this long before they run out, each time another, so that workers and connections do not bunch. */
const MARGIN_SECONDS = { least: 300, most: 600 }
const POLL_MS = 150

/**
 * An access token of the connection with some minutes left, renewed first when it is old. While another worker renews it,
 * this waits for that worker's result. Whether a token is old is decided by the database's clock.
 * @throws OperationalError connection-needs-reconnect, partner-client-refused, partner-throttled, partner-unreachable,
 *   partner-bad-answer, connection-busy, token-unreadable
 */
export async function getAccessToken(
  organizationId: string,
  connectionId: string,
  options: AccessTokenOptions = {},
): Promise<AccessToken> {
  const forceGeneration = options.forceGeneration ?? null
  const marginSeconds = randomInt(MARGIN_SECONDS.least, MARGIN_SECONDS.most + 1)
  const current = await readCredential(organizationId, connectionId, marginSeconds)
  if (current?.state === 'active' && !isOutdated(current, forceGeneration)) return toAccessToken(connectionId, current)

  const owner = randomUUID()
  const giveUpAt = performance.now() + (LEASE_SECONDS + 5) * 1000
  while (performance.now() < giveUpAt) {
    const state = await takeLease(organizationId, connectionId, { owner, marginSeconds, forceGeneration })
    if (state.kind === 'usable') return toAccessToken(connectionId, state.credential)
    if (state.kind === 'leased') {
      await renewTokens(organizationId, connectionId, state.lease)
      // what has just come is used, however soon it runs out: a short-lived token must not be renewed in a circle
      const renewed = await readCredential(organizationId, connectionId, 0)
      if (renewed?.state === 'active') return toAccessToken(connectionId, renewed)
    }
    if (state.kind === 'busy') await waitForOther(organizationId, connectionId)
    if (state.kind === 'none' || state.kind === 'needs_reconnect') throw toRefusal(connectionId, state)
  }
  throw new OperationalError('connection-busy', `another worker is renewing connection ${connectionId}`)
}

/** Waits until the lease of another worker is gone, by its result or its end; reads without a lock meanwhile. */
async function waitForOther(organizationId: string, connectionId: string): Promise<void> {
  do await pause(POLL_MS + randomInt(POLL_MS))
  while ((await readCredential(organizationId, connectionId, 0))?.isLeased)
}

function toRefusal(connectionId: string, state: Extract<CredentialState, { kind: 'none' | 'needs_reconnect' }>) {
  const why = state.kind === 'none' ? 'has no tokens' : `has ended (${state.cause ?? 'no cause noted'})`
  return new OperationalError('connection-needs-reconnect', `connection ${connectionId} ${why}`)
}

async function toAccessToken(connectionId: string, credential: Credential): Promise<AccessToken> {
  const { generation, sealedTokens, accessExpiresAt } = credential
  const { accessToken } = await openTokens(
    sealedTokens,
    { connectionId, generation },
    requireSetting('tokenPrivateKeys'),
  )
  return { accessToken, generation, expiresAt: accessExpiresAt }
}
