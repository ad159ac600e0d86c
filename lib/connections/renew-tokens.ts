import { requireSetting } from '../env.ts'
import { OperationalError } from '../errors.ts'
import { log } from '../log.ts'
import { partnerRequest } from '../partner/http.ts'
import { processTokenResponse, type TokenOutcome, toRefreshRequest } from '../partner/oauth-requests.ts'
import { PartnerError } from '../partner/partner-error.ts'
import { REFRESH_LIFETIME_SECONDS } from './granted-tokens.ts'
import { endConnection, type RefreshLease, releaseLease, storeRenewed, TOKEN_DEADLINE_MS } from './refresh-lease.ts'
import { openTokens, sealTokens } from './vault.ts'

type NotSent = { kind: 'not_sent'; reason: string }

/**
 * The only function that sends a refresh token. Sends it once, under a lease that is already committed, with no transaction
 * open, and brings the answer into the database. Returns when the connection has newer tokens, whoever stored them.
 * @throws OperationalError for every other end; the lease is given back first.
 */
export async function renewTokens(organizationId: string, connectionId: string, lease: RefreshLease): Promise<void> {
  const { generation, sealedTokens } = lease.credential
  const refreshToken = await openRefreshToken(organizationId, connectionId, lease, { generation, sealedTokens })
  const outcome = await sendRefresh(refreshToken)
  switch (outcome.kind) {
    case 'tokens':
      return store(organizationId, connectionId, lease, outcome, refreshToken)
    case 'invalid_grant':
    case 'rejected':
      return end(organizationId, connectionId, lease, outcome)
    case 'invalid_client':
      await releaseLease(organizationId, connectionId, lease, 'invalid_client')
      log.error({ connectionId }, 'the platform refuses PARTNER_CLIENT_ID or PARTNER_CLIENT_SECRET')
      throw new OperationalError('partner-client-refused', 'the platform refuses our client id or secret')
    case 'retry_later':
      await releaseLease(organizationId, connectionId, lease, 'retry_later')
      throw new OperationalError(
        'partner-throttled',
        `token endpoint: retry after ${outcome.retryAfterSeconds ?? '?'} s`,
      )
    case 'not_sent':
      await releaseLease(organizationId, connectionId, lease, 'not_sent')
      throw new OperationalError('partner-unreachable', `token endpoint: ${outcome.reason}`)
    case 'in_doubt':
      await releaseLease(organizationId, connectionId, lease, 'in_doubt')
      log.warn({ connectionId, generation, reason: outcome.reason }, 'a refresh ended without a usable answer')
      throw new OperationalError('partner-bad-answer', `token endpoint: ${outcome.reason}`)
  }
}

async function openRefreshToken(
  organizationId: string,
  connectionId: string,
  lease: RefreshLease,
  { generation, sealedTokens }: { generation: number; sealedTokens: string },
): Promise<string> {
  try {
    const privateKeys = requireSetting('tokenPrivateKeys')
    return (await openTokens(sealedTokens, { connectionId, generation }, privateKeys)).refreshToken
  } catch (error) {
    await releaseLease(organizationId, connectionId, lease, 'not_sent')
    throw error
  }
}

async function sendRefresh(refreshToken: string): Promise<TokenOutcome | NotSent> {
  const request = toRefreshRequest(requireSetting('partner'), refreshToken)
  try {
    const response = await partnerRequest({
      ...request,
      deadlineMs: TOKEN_DEADLINE_MS,
      maxBytes: 256 * 1024,
      freshConnection: true,
    })
    return processTokenResponse(response.status, response.headers, response.body, response.receivedAt)
  } catch (error) {
    if (!(error instanceof PartnerError)) throw error
    return { kind: error.neverSent ? 'not_sent' : 'in_doubt', reason: error.message }
  }
}

async function store(
  organizationId: string,
  connectionId: string,
  lease: RefreshLease,
  outcome: Extract<TokenOutcome, { kind: 'tokens' }>,
  sentRefreshToken: string,
): Promise<void> {
  const { generation } = lease.credential
  if (outcome.refreshToken === null)
    log.warn({ connectionId, generation }, 'the platform renewed an access token without a new refresh token')
  const { sealed, keyId } = await sealTokens(
    { accessToken: outcome.accessToken, refreshToken: outcome.refreshToken ?? sentRefreshToken },
    { connectionId, generation: generation + 1 },
    requireSetting('tokenPublicKeys'),
  )
  const isStored = await storeRenewed(organizationId, connectionId, lease, {
    sealedTokens: sealed,
    keyId,
    expiresInSeconds: outcome.expiresInSeconds,
    refreshLifetimeSeconds: outcome.refreshToken === null ? null : REFRESH_LIFETIME_SECONDS,
  })
  if (isStored) log.info({ connectionId, generation: generation + 1 }, 'tokens renewed')
  else log.warn({ connectionId, generation }, 'renewed tokens were fenced off: the connection has newer ones')
}

async function end(
  organizationId: string,
  connectionId: string,
  lease: RefreshLease,
  outcome: Extract<TokenOutcome, { kind: 'invalid_grant' | 'rejected' }>,
): Promise<void> {
  const cause = await endConnection(organizationId, connectionId, lease, outcome.kind)
  // null: another worker or a reconnect has brought newer tokens meanwhile, which are used instead
  if (cause === null) return
  log.warn({ connectionId, cause }, 'connection needs to be connected again')
  throw new OperationalError('connection-needs-reconnect', `refresh token refused (${cause})`)
}
