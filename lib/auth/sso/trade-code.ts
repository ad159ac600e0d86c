import { settings } from '#lib/env.ts'
import { SSO_CALLBACK_PATH } from '#lib/http/cookies.ts'
import { isOverage, readClaim } from './claims.ts'
import type { ProviderMetadata } from './discovery.ts'
import { verifyIdToken } from './id-token.ts'
import type { Claims, SsoClient } from './model.ts'
import { askProvider, ProviderError } from './provider-http.ts'

/** What came back with the browser, and what next-auth kept in it for this. */
export type CodeAnswer = { code: string; verifier: string; nonce: string }

/**
 * Trades a code for an ID token, checks it, and returns its claims. What a provider says of people
 * only at its userinfo endpoint (Okta with short tokens, for instance) fills in what is missing.
 * @throws ProviderError
 */
export async function tradeCode(
  client: SsoClient,
  metadata: ProviderMetadata,
  answer: CodeAnswer,
  now: Date,
): Promise<Claims> {
  const { id_token: idToken, access_token: accessToken } = await askProvider(toTokenRequest(client, metadata, answer))
  if (typeof idToken !== 'string') throw new ProviderError('the provider gave no ID token')
  const expected = { issuer: client.issuer, clientId: client.clientId, nonce: answer.nonce, jwksUri: metadata.jwksUri }
  const claims: Claims = await verifyIdToken(idToken, expected, now)
  const isWhole = ['email', client.roleClaim].every((path) => readClaim(claims, path) !== undefined)
  if (isWhole || isOverage(claims, client.roleClaim)) return claims
  if (metadata.userinfoEndpoint === null || typeof accessToken !== 'string') return claims
  const more = await askProvider({
    url: metadata.userinfoEndpoint,
    headers: { authorization: `Bearer ${accessToken}` },
  })
  // anybody else's would be a substituted answer (OpenID Connect Core, 5.3.2)
  if (more.sub !== claims.sub) throw new ProviderError('the provider answered about somebody else')
  return mergeClaims(claims, more)
}

/**
 * The ID token counts where both answer. An address and whether it is verified come from one of
 * them: what one says of its address says nothing of the other's.
 */
function mergeClaims(claims: Claims, more: Claims): Claims {
  const { email, email_verified } = claims.email === undefined ? more : claims
  return { ...more, ...claims, email, email_verified }
}

/** RFC 6749, 4.1.3 and 2.3.1, with the verifier of RFC 7636. */
function toTokenRequest({ clientId, secret, authMethod }: SsoClient, metadata: ProviderMetadata, answer: CodeAnswer) {
  const form = {
    grant_type: 'authorization_code',
    code: answer.code,
    redirect_uri: settings().appUrl + SSO_CALLBACK_PATH,
    code_verifier: answer.verifier,
  }
  const url = metadata.tokenEndpoint
  if (authMethod === 'client_secret_basic') {
    const pair = [clientId, secret ?? ''].map(encodeURIComponent).join(':')
    return { url, form, headers: { authorization: `Basic ${Buffer.from(pair).toString('base64')}` } }
  }
  const proof: Record<string, string> = authMethod === 'none' ? {} : { client_secret: secret ?? '' }
  return { url, form: { ...form, client_id: clientId, ...proof } }
}
