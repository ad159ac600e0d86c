import { parseOrNull } from '#lib/reconcile/json/parse.ts'
import { isJsonObject, type JsonObject, type JsonValue, NumberText } from '#lib/reconcile/json/value.ts'
import { parseRetryAfter } from '../http/retry-after.ts'

/** The contract's lifetime of an access token, for answers that do not state one. */
const DEFAULT_EXPIRES_IN_SECONDS = 3600

/**
 * The outcome of a call to the token endpoint.
 * - `tokens`: the new pair; a null refreshToken means the current one stays
 * - `invalid_grant`: the code or refresh token is no longer good
 * - `invalid_client`: our own id or secret is wrong; no connection is to blame
 * - `retry_later`: nothing happened; the same token may be sent again
 * - `rejected`: refused for another reason, in the partner's words
 * - `in_doubt`: the partner may have acted, and the current token may be used up
 */
export type TokenOutcome =
  | { kind: 'tokens'; accessToken: string; refreshToken: string | null; expiresInSeconds: number; scope: string | null }
  | { kind: 'invalid_grant' }
  | { kind: 'invalid_client' }
  | { kind: 'retry_later'; retryAfterSeconds: number | null }
  | { kind: 'rejected'; error: string }
  | { kind: 'in_doubt'; reason: string }

const RETRY_LATER = new Set([408, 409, 423, 425, 429, 503])

/**
 * Sorts an answer of the token endpoint; never throws, and never puts a token into a reason. The
 * status comes before the body: an unreadable 200 may still have used up the refresh token, so it
 * is in doubt, not refused (RFC 6749, 5; assumptions 6, 7 and 8). `now`: when the answer came, for
 * a Retry-After date.
 */
export function processTokenResponse(
  status: number,
  headers: Record<string, string>,
  body: Buffer | string,
  now: Date = new Date(),
): TokenOutcome {
  const value = parseObject(body.toString())
  if (status >= 200 && status < 300) return value ? readTokens(value) : inDoubt('the answer is not a JSON object')
  if (RETRY_LATER.has(status)) return retryLater(headers, now)
  if (status >= 500) return inDoubt(`status ${status}`)

  const error = value && typeof value.error === 'string' ? value.error : ''
  if (error === 'invalid_grant') return { kind: 'invalid_grant' }
  if (error === 'invalid_client' || error === 'unauthorized_client') return { kind: 'invalid_client' }
  if (error === 'temporarily_unavailable' || error === 'slow_down') return retryLater(headers, now)
  // RFC 6749, 5.2: 401 is about the client's own credentials, whatever its body looks like.
  if (status === 401) return { kind: 'invalid_client' }
  return { kind: 'rejected', error: /^[\w.:-]{1,60}$/.test(error) ? error : `status_${status}` }
}

function readTokens(value: JsonObject): TokenOutcome {
  const accessToken = readToken(value.access_token)
  if (accessToken === null) return inDoubt('the answer holds no usable access_token')
  const isRefreshAbsent =
    value.refresh_token === undefined || value.refresh_token === null || value.refresh_token === ''
  const refreshToken = readToken(value.refresh_token)
  if (refreshToken === null && !isRefreshAbsent) return inDoubt('the answer holds a refresh_token that is no text')
  return {
    kind: 'tokens',
    accessToken,
    refreshToken,
    expiresInSeconds: readSeconds(value.expires_in),
    scope: readScope(value.scope),
  }
}

/**
 * A token must be able to travel in a header: visible ASCII, no spaces (RFC 6749, appendix A.12).
 */
function readToken(value: JsonValue | undefined): string | null {
  return typeof value === 'string' && /^[\x21-\x7e]+$/.test(value) ? value : null
}

function readSeconds(value: JsonValue | undefined): number {
  const text = value instanceof NumberText ? value.numberText : typeof value === 'string' ? value.trim() : ''
  const seconds = /^\d{1,9}(?:\.\d+)?$/.test(text) ? Math.floor(Number(text)) : 0
  return seconds > 0 ? seconds : DEFAULT_EXPIRES_IN_SECONDS
}

function readScope(value: JsonValue | undefined): string | null {
  const texts = (Array.isArray(value) ? value : [value]).filter((entry) => typeof entry === 'string')
  return texts.join(' ').trim() || null
}

function retryLater(headers: Record<string, string>, now: Date): TokenOutcome {
  const waitMs = parseRetryAfter(headers['retry-after'], now)
  return { kind: 'retry_later', retryAfterSeconds: waitMs === null ? null : Math.ceil(waitMs / 1000) }
}

function inDoubt(reason: string): TokenOutcome {
  return { kind: 'in_doubt', reason }
}

/** Null if it is not a JSON object: an answer like any other here, sorted by its status. */
function parseObject(text: string): JsonObject | null {
  const value = parseOrNull(text.replace(/^\uFEFF/, ''))
  return isJsonObject(value) ? value : null
}
