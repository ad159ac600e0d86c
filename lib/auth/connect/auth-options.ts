import type { AuthOptions } from 'next-auth'
import credentialsModule from 'next-auth/providers/credentials'
import { cookieNames, isSecureOrigin } from '#lib/http/cookies.ts'
import { ABSOLUTE_LIMIT_MS, type SessionKey } from '../sessions.ts'
import { nextAuthLog } from './next-auth-log.ts'

// a CommonJS module: bundlers give its default export, Node gives the module
const CredentialsProvider = ((credentialsModule as { default?: unknown }).default ??
  credentialsModule) as typeof credentialsModule

const ABSOLUTE_LIMIT_SECONDS = ABSOLUTE_LIMIT_MS / 1000

/**
 * Signs in a user who was verified before (sign-in-attempt.ts): next-auth cannot say why or for how
 * long it refuses. The cookie is its encrypted JWT. It holds only the key of a session row, the
 * organization and a secret, and nothing of the platform's.
 */
export function authOptions(key: SessionKey): AuthOptions {
  return {
    providers: [CredentialsProvider({ credentials: {}, authorize: async () => ({ id: key.organizationId }) })],
    session: { strategy: 'jwt', maxAge: ABSOLUTE_LIMIT_SECONDS },
    jwt: { maxAge: ABSOLUTE_LIMIT_SECONDS },
    pages: { signIn: '/sign-in', error: '/sign-in' },
    cookies: {
      sessionToken: {
        name: cookieNames().session,
        options: { httpOnly: true, sameSite: 'lax', path: '/', secure: isSecureOrigin() },
      },
    },
    callbacks: { jwt: async () => ({ org: key.organizationId, sid: key.secret }) },
    logger: nextAuthLog,
    debug: false,
  }
}
