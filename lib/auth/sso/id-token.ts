/** The one proof of who signed in: an ID token (OpenID Connect Core, 3.1.3.7). */
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTPayload, jwtVerify } from 'jose'
import { processWide } from '#lib/process-wide.ts'
import { askProvider, ProviderError } from './provider-http.ts'

/** What an ID token must say. */
export type Expected = { issuer: string; clientId: string; nonce: string; jwksUri: string }

/** Signatures with a key pair. Never `none`, nor a shared secret. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']
/** How far the provider's clock may be off. */
const SKEW_SECONDS = 60
/** Older tokens are not of this sign-in. */
const MAX_AGE_SECONDS = 600
const KEYS_KEPT_MS = 60 * 60_000
/** An unknown key makes us read the keys again, this often at most. */
const READ_AGAIN_MS = 10_000
const MAX_KEPT = 200

type Kept = { keys: JSONWebKeySet; at: number }

/**
 * The claims of an ID token that this issuer made for this client and this sign-in, now. Keys that
 * the provider has changed are read again.
 * @throws ProviderError for any other token.
 */
export async function verifyIdToken(token: string, expected: Expected, now: Date): Promise<JWTPayload> {
  const kept = await readKeys(expected.jwksUri, now, false)
  try {
    return await verifyWith(kept.keys, token, expected, now)
  } catch (thrown) {
    const isUnknownKey =
      thrown instanceof errors.JWKSNoMatchingKey || thrown instanceof errors.JWSSignatureVerificationFailed
    const isOld = now.getTime() - kept.at >= READ_AGAIN_MS
    if (!isUnknownKey || !isOld) throw toProviderError(thrown)
  }
  try {
    return await verifyWith((await readKeys(expected.jwksUri, now, true)).keys, token, expected, now)
  } catch (thrown) {
    throw toProviderError(thrown)
  }
}

async function verifyWith(keys: JSONWebKeySet, token: string, expected: Expected, now: Date): Promise<JWTPayload> {
  const { payload } = await jwtVerify(token, createLocalJWKSet(keys), {
    algorithms: ALGORITHMS,
    issuer: expected.issuer,
    audience: expected.clientId,
    clockTolerance: SKEW_SECONDS,
    maxTokenAge: MAX_AGE_SECONDS,
    requiredClaims: ['exp', 'iat', 'sub', 'nonce'],
    currentDate: now,
  })
  if (payload.nonce !== expected.nonce) throw new ProviderError('an ID token with another nonce')
  const isForSeveral = Array.isArray(payload.aud) && payload.aud.length > 1
  if (payload.azp === undefined ? isForSeveral : payload.azp !== expected.clientId)
    throw new ProviderError('an ID token made for another client')
  return payload
}

async function readKeys(jwksUri: string, now: Date, isAgain: boolean): Promise<Kept> {
  const providers = processWide('tieoutProviderKeys', () => new Map<string, Kept>())
  const kept = providers.get(jwksUri)
  if (!isAgain && kept !== undefined && now.getTime() - kept.at < KEYS_KEPT_MS) return kept
  const answer = await askProvider({ url: jwksUri })
  if (!Array.isArray(answer.keys)) throw new ProviderError('the provider states no keys')
  const read = { keys: answer as unknown as JSONWebKeySet, at: now.getTime() }
  if (providers.size >= MAX_KEPT) providers.clear()
  providers.set(jwksUri, read)
  return read
}

/** jose's codes are words (`ERR_JWT_EXPIRED`); its messages may quote the token. */
function toProviderError(thrown: unknown): unknown {
  if (!(thrown instanceof errors.JOSEError)) return thrown
  const claim = thrown instanceof errors.JWTClaimValidationFailed ? ` (${thrown.claim})` : ''
  return new ProviderError(`an ID token that is not valid: ${thrown.code}${claim}`)
}
