import type { AuthOptions } from 'next-auth'
import { INTENT_LIFETIME_MS } from '#lib/connections/life/connect-intents.ts'
import { toPartnerEndpoints } from '#lib/connections/tokens/partner-endpoints.ts'
import { requireSetting } from '#lib/env.ts'
import { CALLBACK_PATH, cookieNames, isSecureOrigin } from '#lib/http/cookies.ts'
import { nextAuthLog } from './next-auth-log.ts'

export const PARTNER_PROVIDER = 'partner'

/** next-auth wants a subject, but there is no userinfo endpoint and nothing identifies the user. */
const NOBODY = { sub: 'account' }

/**
 * Connects an account of the platform: next-auth's OAuth client with one custom provider and
 * separate cookies, apart from our users' sign-in. Never makes a session: `onCode` trades the code,
 * stores the tokens and returns the path to go to, so next-auth sees no token. No PKCE (contract,
 * Authentication).
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
        clientSecret: partner.clientSecret.reveal(),
        authorization: { url: authorizeUrl, params: { scope: partner.scopes } },
        token: {
          url: tokenUrl,
          // next-auth's own client bounds neither the time, the size nor the origin of an answer
          request: async ({ params, checks }) => {
            // sending the request ourselves, we also check that the state is this browser's
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
    // next-auth requires a session setting, but makes no session because `signIn` returns a path
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
