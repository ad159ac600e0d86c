import type { StoredTokens } from './vault.ts'

/** The contract's lifetimes (Limits): 1 hour and 30 days. */
export const ACCESS_LIFETIME_SECONDS = 3600
export const REFRESH_LIFETIME_SECONDS = 30 * 86_400

/** What the code was traded for. `expiresInSeconds` counts from the start of the request. */
export type GrantedTokens = StoredTokens & { expiresInSeconds: number; scope: string | null }

/** A token that can travel in a header: visible ASCII without spaces (RFC 6749, appendix A.12). */
function isToken(value: unknown): value is string {
  return typeof value === 'string' && /^[\x21-\x7e]+$/.test(value)
}

/**
 * Reads the token answer of the code exchange, of which the field names are not promised (contract, "not shown").
 * `expiresInSeconds` that is no positive number counts as the contract's hour. Returns `incomplete` without a refresh
 * token, since such a link would end after an hour, and `failed` without an access token.
 */
export function toGrantedTokens(answer: {
  accessToken: unknown
  refreshToken: unknown
  expiresInSeconds: unknown
  scope: unknown
}): GrantedTokens | 'incomplete' | 'failed' {
  if (!isToken(answer.accessToken)) return 'failed'
  if (!isToken(answer.refreshToken)) return 'incomplete'
  const seconds = Math.floor(Number(answer.expiresInSeconds))
  const isStated = Number.isFinite(seconds) && seconds > 0 && seconds < REFRESH_LIFETIME_SECONDS
  const scope = typeof answer.scope === 'string' ? answer.scope.replace(/\s+/g, ' ').trim() : ''
  return {
    accessToken: answer.accessToken,
    refreshToken: answer.refreshToken,
    expiresInSeconds: isStated ? seconds : ACCESS_LIFETIME_SECONDS,
    scope: scope === '' ? null : scope.slice(0, 1000),
  }
}
