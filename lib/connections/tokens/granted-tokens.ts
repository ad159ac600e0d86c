import { redirectUri, requireSetting, settings } from '#lib/env.ts'
import { log } from '#lib/log.ts'
import { processTokenResponse, type TokenOutcome, toCodeRequest } from '#lib/partner/oauth/oauth-requests.ts'
import { PartnerError } from '#lib/partner/partner-error.ts'
import { askTokenEndpoint } from './token-endpoint.ts'
import type { StoredTokens } from './vault.ts'

/** Lifetimes by the contract (Limits): 1 hour and 30 days. */
const ACCESS_LIFETIME_SECONDS = 3600
export const REFRESH_LIFETIME_SECONDS = 30 * 86_400

/** What the code was traded for. `expiresInSeconds` counts from the start of the request. */
export type GrantedTokens = StoredTokens & { expiresInSeconds: number; scope: string | null }

/**
 * Trades a code for tokens, within the bounds of `askTokenEndpoint`. Returns `incomplete` without a
 * refresh token, since that link would end after an hour, and `failed` for any other answer or
 * none; the log says which.
 */
export async function exchangeCode(
  code: string,
  options: { deadlineMs?: number } = {},
): Promise<GrantedTokens | 'incomplete' | 'failed'> {
  const request = toCodeRequest(requireSetting('partner'), code, redirectUri(settings().appUrl))
  try {
    const { status, headers, body } = await askTokenEndpoint(request, options)
    const outcome = processTokenResponse(status, headers, body)
    const tokens = toGrantedTokens(outcome)
    if (typeof tokens === 'string')
      log.warn({ status, answer: outcome.kind }, 'a code was not traded for usable tokens')
    return tokens
  } catch (thrown) {
    if (!(thrown instanceof PartnerError)) throw thrown
    log.warn({ kind: thrown.kind, reason: thrown.message }, 'the token endpoint gave no answer to a code')
    return 'failed'
  }
}

function toGrantedTokens(outcome: TokenOutcome): GrantedTokens | 'incomplete' | 'failed' {
  if (outcome.kind !== 'tokens') return 'failed'
  const { accessToken, refreshToken, expiresInSeconds, scope } = outcome
  if (refreshToken === null) return 'incomplete'
  // longer than the link itself lives: not believable as a lifetime
  const isBelievable = expiresInSeconds < REFRESH_LIFETIME_SECONDS
  return {
    accessToken,
    refreshToken,
    expiresInSeconds: isBelievable ? expiresInSeconds : ACCESS_LIFETIME_SECONDS,
    scope: scope?.replace(/\s+/g, ' ').slice(0, 1000) ?? null,
  }
}
