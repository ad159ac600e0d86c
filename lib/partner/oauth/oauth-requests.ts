import type { Secret } from '#lib/secret.ts'
import type { PartnerRequest } from '../http/http.ts'

/** Where the partner's authorization server is, and our credentials there. */
export type OAuthClient = { authUrl: string; clientId: string; clientSecret: Secret }

/**
 * A request without its limits, which the caller sets. The contract wants every parameter in the
 * body.
 */
export type FormRequest = Required<Pick<PartnerRequest, 'method' | 'url' | 'headers' | 'body'>>

/** The token endpoint, with the slash it needs: without it a redirect would turn POST into GET. */
export function toTokenUrl(authUrl: string): string {
  return joinPath(authUrl, '/accounts/oauth2/token/')
}

/**
 * Trades a single-use code for the first pair of tokens (contract, endpoint 2; RFC 6749, 4.1.3).
 */
export function toCodeRequest(client: OAuthClient, code: string, redirectUri: string): FormRequest {
  return toFormRequest(toTokenUrl(client.authUrl), {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    client_id: client.clientId,
    client_secret: client.clientSecret.reveal(),
  })
}

/** Trades a single-use refresh token for a new pair (contract, endpoint 3; RFC 6749, 6). */
export function toRefreshRequest(client: OAuthClient, refreshToken: string): FormRequest {
  return toFormRequest(toTokenUrl(client.authUrl), {
    grant_type: 'refresh_token',
    refresh_token: refreshToken,
    client_id: client.clientId,
    client_secret: client.clientSecret.reveal(),
  })
}

/** Ends the integration of the refresh token's account (contract, endpoint 4; RFC 7009). */
export function toRevokeRequest(client: OAuthClient, refreshToken: string): FormRequest {
  return toFormRequest(joinPath(client.authUrl, '/accounts/oauth2/revoke_token/'), {
    token_type_hint: 'refresh_token',
    token: refreshToken,
    client_id: client.clientId,
    client_secret: client.clientSecret.reveal(),
  })
}

function toFormRequest(url: string, parameters: Record<string, string>): FormRequest {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  return { method: 'POST', url, headers, body: toForm(parameters) }
}

function toForm(parameters: Record<string, string>): string {
  return new URLSearchParams(parameters).toString()
}

/** Appends a path to a base address with or without a final slash. */
export function joinPath(base: string, path: string): string {
  return base.replace(/\/+$/, '') + path
}

export { processTokenResponse, type TokenOutcome } from './token-response.ts'
