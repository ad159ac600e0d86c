import type { AuthOptions } from 'next-auth'
import { INTENT_LIFETIME_MS } from '../connections/connect-intents.ts'
import { toPartnerEndpoints } from '../connections/partner-endpoints.ts'
import { requireSetting } from '../env.ts'
import { CALLBACK_PATH, cookieNames, isSecureOrigin } from './cookies.ts'
import { nextAuthLog } from './next-auth-log.ts'

/** The token endpoint's answer as next-auth passes it on; nothing about it is promised. */
export type TokenAnswer = { accessToken: unknown; refreshToken: unknown; expiresInSeconds: unknown; scope: unknown }

export const PARTNER_PROVIDER = 'partner'

/** There is no userinfo endpoint and nothing identifies the account's user; next-auth wants some subject. */
const NOBODY = { sub: 'account' }

/**
 * How an account of the platform is connected: next-auth's OAuth client with the one custom provider, apart from the
 * sign-in of our users and with cookies of its own. It never makes a session: `onTokens` stores the tokens and returns the
 * path to go to. Parameters of the token request go in its body; there is no PKCE (contract, Authentication).
 */
export function connectOptions(onTokens: (answer: TokenAnswer) => Promise<string>): AuthOptions {
  const partner = requireSetting('partner')
  const { authorizeUrl, tokenUrl } = toPartnerEndpoints(partner)
  return {
    providers: [
      {
        id: PARTNER_PROVIDER,
        name: partner.name,
        type: 'oauth',
        clientId: partner.clientId,
        clientSecret: partner.clientSecret,
        authorization: { url: authorizeUrl, params: { scope: partner.scopes } },
        // no `request` of our own here: it would skip next-auth's comparison of the state
        token: { url: tokenUrl },
        userinfo: { request: async () => NOBODY },
        profile: () => ({ id: NOBODY.sub }),
        checks: ['state'],
        idToken: false,
        client: { token_endpoint_auth_method: 'client_secret_post' },
        httpOptions: { timeout: 10_000 },
      },
    ],
    // next-auth wants a session setting; with `signIn` returning a path it never gets as far as making one
    session: { strategy: 'jwt', maxAge: 1 },
    cookies: {
      sessionToken: { name: `${cookieNames().connectState}.unused`, options: {} },
      callbackUrl: { name: `${cookieNames().connectState}.url`, options: {} },
      state: {
        name: cookieNames().connectState,
        options: {
          httpOnly: true,
          sameSite: 'lax',
          path: CALLBACK_PATH,
          secure: isSecureOrigin(),
          maxAge: INTENT_LIFETIME_MS / 1000,
        },
      },
    },
    callbacks: {
      signIn: ({ account }) =>
        onTokens({
          accessToken: account?.access_token,
          refreshToken: account?.refresh_token,
          // the client has turned the relative lifetime into a moment of its own clock
          expiresInSeconds: (account?.expires_at ?? Number.NaN) - Math.floor(Date.now() / 1000),
          scope: account?.scope,
        }),
    },
    logger: nextAuthLog,
    debug: false,
  }
}
