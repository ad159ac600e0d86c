/** The client against a server we did not write: oidc-provider as plain OAuth 2.0 (RFC 6749). */

import http from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import { Secret } from '#lib/secret.ts'
import { APP_URL, CALLBACK, leadsTo, startWorld, type World } from '../test-support/test-world.ts'

const CLIENT = { client_id: 'tieout', client_secret: 'a-secret-of-32-characters-or-more!' }
const SCOPE = 'expenses:read'

let world: World
let provider: Provider
let server: http.Server

beforeAll(async () => {
  server = http.createServer((request, response) => {
    // gives consent at once, like a person who clicks "Allow"
    if (request.url?.startsWith('/interaction/')) void consent(request, response)
    else provider.callback()(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  provider = new Provider(issuer, {
    clients: [
      {
        ...CLIENT,
        redirect_uris: [`${APP_URL}${CALLBACK}`],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    scopes: [SCOPE],
    pkce: { required: () => false },
    issueRefreshToken: async () => true,
    rotateRefreshToken: true,
    features: { devInteractions: { enabled: false }, revocation: { enabled: true } },
    findAccount: async (_, id) => ({ accountId: id, claims: async () => ({ sub: id }) }),
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    cookies: { keys: ['a key for cookies of a test'] },
    ttl: {
      AccessToken: 3600,
      RefreshToken: 30 * 86_400,
      AuthorizationCode: 60,
      Grant: 40 * 86_400,
      Session: 600,
      Interaction: 600,
    },
    // the contract's addresses
    routes: {
      authorization: '/oauth2/authorize',
      token: '/accounts/oauth2/token/',
      revocation: '/accounts/oauth2/revoke_token/',
    },
  })
  const environment = {
    PARTNER_AUTH_URL: issuer,
    PARTNER_CLIENT_ID: CLIENT.client_id,
    PARTNER_CLIENT_SECRET: CLIENT.client_secret,
  }
  world = await startWorld(environment, 'both')
  await world.addUser('admin@example.com', 'admin')
})
afterAll(async () => {
  await world.close()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

async function consent(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
  const grant = new provider.Grant({ accountId: 'customer', clientId: CLIENT.client_id })
  grant.addOIDCScope(SCOPE)
  const result = { login: { accountId: 'customer' }, consent: { grantId: await grant.save() } }
  await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false })
}

/** Follows redirects as a browser does, with cookies, until one leads back to our callback. */
async function followUntilCallback(address: string): Promise<string> {
  const cookies = new Map<string, string>()
  let url = address
  for (let hop = 0; hop < 10 && !url.startsWith(APP_URL); hop++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } })
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
    }
    url = new URL(response.headers.get('location') ?? '', url).toString()
  }
  return url
}

async function connect(): Promise<{ organizationId: OrganizationId; connectionId: ConnectionId }> {
  const browser = world.browser()
  await browser.signIn('admin@example.com')
  const started = await browser.post('/api/connections/connect')
  const callback = new URL(await followUntilCallback(leadsTo(started)))
  const finished = await browser.get(`${callback.pathname}${callback.search}`)
  expect(finished.headers.get('location')).toContain('connected')
  const [row] = await world.database.query<{ organizationId: OrganizationId; connectionId: ConnectionId }>(
    `select k.organization_id as "organizationId", k.connection_id as "connectionId" from connection_credential k
     join connection c using (organization_id) where c.id = k.connection_id order by c.created_at desc limit 1`,
  )
  return row as { organizationId: OrganizationId; connectionId: ConnectionId }
}

const letExpire = () =>
  world.database.query(`update connection_credential set access_expires_at = now() - interval '1 second'`)
const isLive = async (accessToken: string) => (await provider.AccessToken.find(accessToken)) !== undefined

test('connects, and renews a rotating refresh token repeatedly', async () => {
  const { organizationId, connectionId } = await connect()
  const { getAccessToken } = await import('#lib/connections/tokens/access-token.ts')
  const first = await getAccessToken(organizationId, connectionId)
  expect(await isLive(first.accessToken)).toBe(true)
  const seen = new Set([first.accessToken])
  for (let generation = 2; generation <= 6; generation++) {
    await letExpire()
    const renewed = await getAccessToken(organizationId, connectionId)
    expect(renewed.generation).toBe(generation)
    expect(await isLive(renewed.accessToken)).toBe(true)
    seen.add(renewed.accessToken)
  }
  expect(seen.size).toBe(6)
  const [row] = await world.database.query(
    `select round(extract(epoch from access_expires_at - obtained_at)) as seconds, c.scopes_granted from connection_credential k
     join connection c using (organization_id) where c.id = k.connection_id and c.id = $1`,
    [connectionId],
  )
  expect(row).toEqual({ seconds: '3600', scopes_granted: SCOPE })
})

test('F17: a refresh token used elsewhere ends the connection with its cause, without a loop', async () => {
  const { organizationId, connectionId } = await connect()
  const { getAccessToken } = await import('#lib/connections/tokens/access-token.ts')
  const { openTokens } = await import('#lib/connections/tokens/vault.ts')
  const { requireSetting } = await import('#lib/env.ts')
  const { partnerRequest } = await import('#lib/partner/http/http.ts')
  const { toRefreshRequest } = await import('#lib/partner/oauth/oauth-requests.ts')
  const [row] = await world.database.query<{ sealed: string; generation: number }>(
    'select sealed_tokens as sealed, generation from connection_credential where connection_id = $1',
    [connectionId],
  )
  const { refreshToken } = await openTokens(
    row?.sealed ?? '',
    { connectionId, generation: row?.generation ?? 0 },
    requireSetting('tokenPrivateKeys').reveal(),
  )
  const stolen = await partnerRequest({
    ...toRefreshRequest(requireSetting('partner'), refreshToken),
    deadlineMs: 10_000,
    maxBytes: 100_000,
  })
  expect(stolen.status).toBe(200)
  await letExpire()
  await expect(getAccessToken(organizationId, connectionId)).rejects.toMatchObject({
    code: 'connection-needs-reconnect',
  })
  const [ended] = await world.database.query('select state, state_cause from connection where id = $1', [connectionId])
  expect(ended).toEqual({ state: 'needs_reconnect', state_cause: 'revoked_or_reused' })
})

test('a revoked refresh token is refused', async () => {
  const { organizationId, connectionId } = await connect()
  const { getAccessToken } = await import('#lib/connections/tokens/access-token.ts')
  const { openTokens } = await import('#lib/connections/tokens/vault.ts')
  const { requireSetting } = await import('#lib/env.ts')
  const { partnerRequest } = await import('#lib/partner/http/http.ts')
  const { toRevokeRequest } = await import('#lib/partner/oauth/oauth-requests.ts')
  const [row] = await world.database.query<{ sealed: string }>(
    'select sealed_tokens as sealed from connection_credential where connection_id = $1',
    [connectionId],
  )
  const context = { connectionId, generation: 1 }
  const { refreshToken } = await openTokens(row?.sealed ?? '', context, requireSetting('tokenPrivateKeys').reveal())
  const request = toRevokeRequest(requireSetting('partner'), refreshToken)
  expect((await partnerRequest({ ...request, deadlineMs: 10_000, maxBytes: 100_000 })).status).toBe(200)
  await letExpire()
  await expect(getAccessToken(organizationId, connectionId)).rejects.toMatchObject({
    code: 'connection-needs-reconnect',
  })
})

test('F12: a wrong client secret is told apart from a dead token', async () => {
  const { organizationId, connectionId } = await connect()
  const { getAccessToken } = await import('#lib/connections/tokens/access-token.ts')
  const { settings } = await import('#lib/env.ts')
  const partner = settings().partner as NonNullable<ReturnType<typeof settings>['partner']>
  const { clientSecret } = partner
  partner.clientSecret = new Secret('wrong')
  await letExpire()
  await expect(getAccessToken(organizationId, connectionId)).rejects.toMatchObject({ code: 'partner-client-refused' })
  partner.clientSecret = clientSecret
  await world.database.query('update refresh_attempt set next_attempt_at = now()')
  expect((await getAccessToken(organizationId, connectionId)).generation).toBe(2)
})
