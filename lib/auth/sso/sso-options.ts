import type { AuthOptions } from 'next-auth'
import { cookieNames, isSecureOrigin, SSO_CALLBACK_PATH } from '#lib/http/cookies.ts'
import { nextAuthLog } from '../connect/next-auth-log.ts'
import type { ProviderMetadata } from './discovery.ts'
import type { SsoClient } from './model.ts'
import type { CodeAnswer } from './trade-code.ts'

/** The last part of the callback's address. */
export const SSO_PROVIDER = 'sso'
export const ATTEMPT_LIFETIME_MS = 10 * 60_000

/** next-auth wants a subject; who it is, is found after it. */
const NOBODY = { sub: 'somebody' }

/**
 * The way to an organization's identity provider and back: next-auth makes state, nonce and PKCE's
 * verifier, keeps them in the browser, encrypted, and checks them. It never makes a session and
 * sends nothing: `onAnswer` gets what came back, to be traded within our own bounds.
 */
export function ssoOptions(
  client: SsoClient,
  metadata: ProviderMetadata,
  onAnswer: (answer: CodeAnswer) => void,
): AuthOptions {
  const { sso } = cookieNames()
  return {
    providers: [
      {
        id: SSO_PROVIDER,
        name: 'Single sign-on',
        type: 'oauth',
        issuer: metadata.issuer,
        clientId: client.clientId,
        // next-auth makes no request with it
        clientSecret: '',
        authorization: { url: metadata.authorizationEndpoint, params: { scope: 'openid profile email' } },
        token: {
          url: metadata.tokenEndpoint,
          request: async ({ params, checks }) => {
            // sending the request ourselves, we also check that the state is this browser's
            if (!checks.state || params.state !== checks.state || !params.code)
              throw new Error('the state does not fit')
            // next-auth's types leave the nonce out, which it passes on like the others
            const { code_verifier: verifier, nonce } = checks as typeof checks & { nonce?: string }
            if (!verifier || !nonce) throw new Error('the cookies are not whole')
            onAnswer({ code: params.code, verifier, nonce })
            return { tokens: {} }
          },
        },
        userinfo: { request: async () => NOBODY },
        profile: () => ({ id: NOBODY.sub }),
        checks: ['pkce', 'state', 'nonce'],
        idToken: false,
      },
    ],
    // next-auth requires a session setting, but makes no session because `signIn` returns a path
    session: { strategy: 'jwt', maxAge: 1 },
    cookies: {
      sessionToken: { name: `${sso.state}.unused`, options: {} },
      callbackUrl: { name: `${sso.state}.url`, options: {} },
      state: toCookie(sso.state),
      nonce: toCookie(sso.nonce),
      pkceCodeVerifier: toCookie(sso.verifier),
    },
    callbacks: { signIn: () => '/' },
    logger: nextAuthLog,
    debug: false,
  }
}

function toCookie(name: string) {
  const options = {
    httpOnly: true,
    sameSite: 'lax',
    path: SSO_CALLBACK_PATH,
    secure: isSecureOrigin(),
    maxAge: ATTEMPT_LIFETIME_MS / 1000,
  }
  return { name, options }
}
