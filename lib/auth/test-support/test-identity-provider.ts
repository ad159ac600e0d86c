/** For tests: an identity provider that we did not write (oidc-provider), and its faults. */
import type { KeyObject } from 'node:crypto'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { decodeJwt, type JWTPayload, SignJWT } from 'jose'
import Provider from 'oidc-provider'
import { generateKeyPair } from '#lib/key-pair.ts'

export const CLIENT_ID = 'tieout'
export const CLIENT_SECRET = 'a-secret-of-32-characters-or-more!'

/** What the provider knows of somebody, by subject. */
export type KnownPerson = { sub: string; email?: string; email_verified?: boolean; name?: string } & Record<
  string,
  unknown
>

export type IdentityProvider = {
  issuer: string
  /** Signs this person in from now on, in browsers that it does not know. */
  person: KnownPerson
  /** Changes the claims of ID tokens before they are signed; null: leaves them alone. */
  tamper: ((claims: JWTPayload) => JWTPayload) | null
  /** From now on, signs with a new key, and states that one alone. */
  rotateKeys: () => Promise<void>
  /** Signs with a key that it does not state. */
  forge: () => Promise<void>
  /** Answers instead of the provider, by path. */
  instead: Map<string, http.RequestListener>
  /** Paths that were asked for. */
  asked: string[]
  close: () => Promise<void>
}

type Key = { kid: string; privateKey: KeyObject; publicJwk: Record<string, unknown> }

function makeKey(kid: string): Key {
  const { privateKey, publicKey } = generateKeyPair()
  return { kid, privateKey, publicJwk: { ...publicKey.export({ format: 'jwk' }), kid, alg: 'ES256', use: 'sig' } }
}

/** An identity provider on this machine, with one client whose answers go to `redirectUri`. */
export async function startIdentityProvider(redirectUri: string): Promise<IdentityProvider> {
  let provider: Provider
  const server = http.createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    self.asked.push(pathname)
    const listener = self.instead.get(pathname)
    if (listener !== undefined) listener(request, response)
    else if (pathname.startsWith('/interaction/')) void signIn(request, response)
    else provider.callback()(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const keys = { signing: makeKey('first'), stated: [] as Key[] }
  keys.stated = [keys.signing]
  const self: IdentityProvider = {
    issuer,
    person: { sub: 'nobody' },
    tamper: null,
    rotateKeys: async () => {
      keys.signing = makeKey(`key-${Math.random()}`)
      keys.stated = [keys.signing]
    },
    forge: async () => {
      keys.signing = { ...makeKey('forged'), kid: keys.stated[0]?.kid ?? '' }
    },
    instead: new Map(),
    asked: [],
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  const people = new Map<string, KnownPerson>()
  provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: CLIENT_SECRET,
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code'],
        response_types: ['code'],
        token_endpoint_auth_method: 'client_secret_basic',
      },
    ],
    claims: { openid: ['sub', 'groups', '_claim_names', 'app'], email: ['email', 'email_verified'], profile: ['name'] },
    conformIdTokenClaims: false,
    pkce: { required: () => true, methods: ['S256'] },
    features: { devInteractions: { enabled: false } },
    findAccount: async (_, id) => ({ accountId: id, claims: async () => people.get(id) ?? { sub: id } }),
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    cookies: { keys: ['a key for cookies of a test'] },
    ttl: { AccessToken: 600, AuthorizationCode: 60, IdToken: 600, Grant: 600, Session: 600, Interaction: 600 },
  })
  provider.use(async (context, next) => {
    await next()
    if (context.path === '/jwks') context.body = { keys: keys.stated.map(({ publicJwk }) => publicJwk) }
    const body = context.body as { id_token?: string } | undefined
    if (context.path !== '/token' || body?.id_token === undefined) return
    const claims = decodeJwt(body.id_token)
    body.id_token = await new SignJWT(self.tamper?.(claims) ?? claims)
      .setProtectedHeader({ alg: 'ES256', kid: keys.signing.kid })
      .sign(keys.signing.privateKey)
  })

  async function signIn(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const { sub: accountId } = self.person
    people.set(accountId, self.person)
    const grant = new provider.Grant({ accountId, clientId: CLIENT_ID })
    grant.addOIDCScope('openid profile email')
    const result = { login: { accountId }, consent: { grantId: await grant.save() } }
    await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false })
  }
  return self
}

/** Follows redirects as a browser without cookies does, until one leads to `appUrl`. */
export async function followToApp(address: string, appUrl: string): Promise<string> {
  const cookies = new Map<string, string>()
  let url = address
  for (let hop = 0; hop < 10 && !url.startsWith(appUrl); hop++) {
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
