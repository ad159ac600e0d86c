import { requireSetting } from '#lib/env.ts'
import { type PartnerResponse, partnerRequest } from '#lib/partner/http/http.ts'
import { parseRetryAfter } from '#lib/partner/http/retry-after.ts'
import { toRevokeRequest } from '#lib/partner/oauth/oauth-requests.ts'
import { processTokenResponse } from '#lib/partner/oauth/token-response.ts'
import { PartnerError } from '#lib/partner/partner-error.ts'

const REVOKE_DEADLINE_MS = 30_000

/**
 * How a request to revoke ended. `alive`: nothing says the link has ended, so it counts as alive.
 * `problem` is a fixed word of ours, never the platform's.
 */
export type RevokeOutcome =
  | { kind: 'revoked' | 'already_dead' }
  | { kind: 'alive'; problem: RevokeProblem; retryAfterMs: number | null }

type RevokeProblem = 'unreachable' | 'timeout' | 'throttled' | 'client_refused' | 'refused' | 'unavailable' | 'redirect'

/**
 * Asks the platform once to end a refresh token's integration (contract, endpoint 4; RFC 7009):
 * client credentials and token only in the body, a fresh socket, no redirect. Only 2xx, or the word
 * that this token is not valid, ends the link. 503 leaves it alive (RFC 7009, 2.2.1), as does
 * everything else.
 */
export async function revokeOnce(refreshToken: string): Promise<RevokeOutcome> {
  try {
    const response = await partnerRequest({
      ...toRevokeRequest(requireSetting('partner'), refreshToken),
      deadlineMs: REVOKE_DEADLINE_MS,
      maxBytes: 64 * 1024,
      freshConnection: true,
    })
    return toRevokeOutcome(response)
  } catch (thrown) {
    if (!(thrown instanceof PartnerError)) throw thrown
    const problem = thrown.kind === 'timeout' || thrown.kind === 'redirect' ? thrown.kind : 'unreachable'
    return { kind: 'alive', problem, retryAfterMs: null }
  }
}

/** Sorts a reply of the revoke endpoint; never throws. */
function toRevokeOutcome(response: PartnerResponse): RevokeOutcome {
  const { status, headers, body, receivedAt } = response
  if (status >= 200 && status < 300) return { kind: 'revoked' }
  const retryAfterMs = parseRetryAfter(headers['retry-after'], receivedAt)
  if (status === 503 || status === 429) return { kind: 'alive', problem: 'throttled', retryAfterMs }
  if (status >= 500) return { kind: 'alive', problem: 'unavailable', retryAfterMs }
  // its errors are the token endpoint's (RFC 7009, 2.2.1)
  const refusal = processTokenResponse(status, headers, body, receivedAt)
  if (refusal.kind === 'invalid_grant' || (refusal.kind === 'rejected' && refusal.error === 'invalid_token'))
    return { kind: 'already_dead' }
  if (refusal.kind === 'invalid_client') return { kind: 'alive', problem: 'client_refused', retryAfterMs }
  return { kind: 'alive', problem: refusal.kind === 'retry_later' ? 'throttled' : 'refused', retryAfterMs }
}
