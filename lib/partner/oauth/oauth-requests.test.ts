import { describe, expect, test } from 'vitest'
import { Secret } from '#lib/secret.ts'
import { processTokenResponse, toCodeRequest, toRefreshRequest, toRevokeRequest } from './oauth-requests.ts'

const CLIENT = { authUrl: 'https://auth.partner.example/', clientId: 'id&1', clientSecret: new Secret('s3cret+/=') }
const NOW = new Date('2026-03-04T10:00:00Z')

const outcome = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  processTokenResponse(status, headers, typeof body === 'string' ? body : JSON.stringify(body), NOW)

test('puts every parameter of code, refresh and revoke into the body, and none into the address', () => {
  const code = toCodeRequest(CLIENT, 'c/1+=', 'https://app.example/cb')
  expect(code.url).toBe('https://auth.partner.example/accounts/oauth2/token/')
  expect(Object.fromEntries(new URLSearchParams(code.body))).toEqual({
    grant_type: 'authorization_code',
    code: 'c/1+=',
    redirect_uri: 'https://app.example/cb',
    client_id: 'id&1',
    client_secret: 's3cret+/=',
  })
  const refresh = toRefreshRequest(CLIENT, 'r/1+=')
  expect(refresh).toMatchObject({
    method: 'POST',
    url: 'https://auth.partner.example/accounts/oauth2/token/',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  expect(Object.fromEntries(new URLSearchParams(refresh.body))).toEqual({
    grant_type: 'refresh_token',
    refresh_token: 'r/1+=',
    client_id: 'id&1',
    client_secret: 's3cret+/=',
  })
  const revoke = toRevokeRequest(CLIENT, 'r1')
  expect(revoke.url).toBe('https://auth.partner.example/accounts/oauth2/revoke_token/')
  expect(Object.fromEntries(new URLSearchParams(revoke.body))).toEqual({
    token_type_hint: 'refresh_token',
    token: 'r1',
    client_id: 'id&1',
    client_secret: 's3cret+/=',
  })
})

describe('processTokenResponse', () => {
  test('reads a pair of tokens, with a lifetime as number or text', () => {
    const body = {
      access_token: 'a1',
      refresh_token: 'r1',
      expires_in: 1800,
      token_type: 'Bearer',
      scope: 'expenses:read',
    }
    const tokens = {
      kind: 'tokens',
      accessToken: 'a1',
      refreshToken: 'r1',
      expiresInSeconds: 1800,
      scope: 'expenses:read',
    }
    expect(outcome(200, body)).toEqual(tokens)
    expect(outcome(201, { ...body, expires_in: '1800' })).toEqual(tokens)
    expect(outcome(200, `\uFEFF${JSON.stringify({ ...body, expires_in: 1800.9 })}`)).toEqual(tokens)
  })

  test('F13: falls back to the contract if lifetime, scope or refresh token is missing', () => {
    const defaults = { kind: 'tokens', accessToken: 'a1', refreshToken: null, expiresInSeconds: 3600, scope: null }
    for (const expires_in of [undefined, null, 0, -5, 'soon', 1e300, {}]) {
      expect(outcome(200, { access_token: 'a1', expires_in, refresh_token: null })).toEqual(defaults)
    }
  })

  test.each([
    ['HTML', '<html>ok</html>'],
    ['nothing', ''],
    ['a list', []],
    ['renamed fields', { accessToken: 'a1', refreshToken: 'r1' }],
    ['a token that is no text', { access_token: 5, refresh_token: 'r1' }],
    ['a token that no header can carry', { access_token: 'a\r\nb', refresh_token: 'r1' }],
    ['a refresh token that is no text', { access_token: 'a1', refresh_token: { v: 'r1' } }],
  ])('F13: a success with %s is in doubt, and the reason holds no token', (_name, body) => {
    const result = outcome(200, body)
    expect(result.kind).toBe('in_doubt')
    expect(JSON.stringify(result)).not.toMatch(/a1|r1/)
  })

  test.each([400, 401, 403])('invalid_grant ends the connection with any status (%i)', (status) => {
    expect(outcome(status, { error: 'invalid_grant' })).toEqual({ kind: 'invalid_grant' })
  })

  test.each([
    [401, { error: 'invalid_client' }],
    [400, { error: 'invalid_client' }],
    [400, { error: 'unauthorized_client' }],
    [401, '<html>401</html>'],
  ])('F12: %i %j is about our own credentials', (status, body) => {
    expect(outcome(status, body)).toEqual({ kind: 'invalid_client' })
  })

  test('F11: 429 and 503 ask for the same token later, in seconds or at a date', () => {
    expect(outcome(429, '', { 'retry-after': '120' })).toEqual({ kind: 'retry_later', retryAfterSeconds: 120 })
    const date = { 'retry-after': 'Wed, 04 Mar 2026 10:01:30 GMT' }
    expect(outcome(503, { error: 'invalid_grant' }, date)).toEqual({ kind: 'retry_later', retryAfterSeconds: 90 })
    for (const status of [408, 409, 423, 425, 429, 503]) {
      expect(outcome(status, 'x')).toEqual({ kind: 'retry_later', retryAfterSeconds: null })
    }
    expect(outcome(400, { error: 'slow_down' })).toEqual({ kind: 'retry_later', retryAfterSeconds: null })
  })

  test.each([500, 502, 504, 520])('a %i is in doubt: the token may be used up', (status) => {
    expect(outcome(status, { error: 'invalid_grant' })).toEqual({ kind: 'in_doubt', reason: `status ${status}` })
  })

  test('any other refusal keeps the partner’s code if it is one, else the status', () => {
    expect(outcome(400, { error: 'unsupported_grant_type' })).toEqual({
      kind: 'rejected',
      error: 'unsupported_grant_type',
    })
    expect(outcome(400, { error: '<script>alert(1)</script>' })).toEqual({ kind: 'rejected', error: 'status_400' })
    expect(outcome(404, 'nope')).toEqual({ kind: 'rejected', error: 'status_404' })
    expect(outcome(302, '')).toEqual({ kind: 'rejected', error: 'status_302' })
  })
})
