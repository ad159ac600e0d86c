import type { AuthOptions } from 'next-auth'
import { INTENT_LIFETIME_MS } from '#lib/connections/life/connect-intents.ts'
import { toPartnerEndpoints } from '#lib/connections/tokens/partner-endpoints.ts'
import { requireSetting } from '#lib/env.ts'
import { CALLBACK_PATH, cookieNames, isSecureOrigin } from '#lib/http/cookies.ts'
import { nextAuthLog } from './next-auth-log.ts'

export const PARTNER_PROVIDER = 'partner'

/**
 * There is no userinfo endpoint and nothing identifies the account's user; next-auth wants some
 * subject.
 */
const NOBODY = { sub: 'account' }

/**
 * How an account of the platform is connected: next-auth's OAuth client with the one custom
 * provider, apart from the sign-in of our users and with cookies of its own. It never makes a
 * session: `onCode` trades the code, stores the tokens and returns the path to go to, so that
 * next-auth sees no token. There is no PKCE (contract, Authentication).
 */
export function connectOptions(onCode: (code: string) => Promise<string>): AuthOptions {
  const partner = requireSetting('partner')
  const { authorizeUrl, tokenUrl } = toPartnerEndpoints(partner)
  let path = ''
  return {
    providers: [
      {
        id: PARTNER_PROVIDER,
        name: partner.name,
        type: 'oauth',
        clientId: partner.clientId,
        clientSecret: partner.clientSecret,
        authorization: { url: authorizeUrl, params: { scope: partner.scopes } },
        token: {
          url: tokenUrl,
          // next-auth's own client bounds neither the time nor the size of an answer, nor where it
          // comes from
          request: async ({ params, checks }) => {
            // which is left to us with the request: the state in the address is the one in this
            // browser's cookie
            if (!checks.state || params.state !== checks.state || !params.code)
              throw new Error('the state does not fit')
            path = await onCode(params.code)
            return { tokens: {} }
          },
        },
        userinfo: { request: async () => NOBODY },
        profile: () => ({ id: NOBODY.sub }),
        checks: ['state'],
        idToken: false,
      },
    ],
    // next-auth wants a session setting; with `signIn` returning a path it never gets as far as
    // making one
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
    callbacks: { signIn: () => path },
    logger: nextAuthLog,
    debug: false,
  }
}
