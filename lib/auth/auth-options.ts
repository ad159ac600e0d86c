import type { AuthOptions } from 'next-auth'
import credentialsModule from 'next-auth/providers/credentials'
import { withSystemSql } from '../db/tenant.ts'
import { cookieNames, isSecureOrigin } from './cookies.ts'
import { nextAuthLog } from './next-auth-log.ts'
import { verifyPassword } from './password.ts'
import { ABSOLUTE_LIMIT_MS, startSession } from './sessions.ts'

// a CommonJS module: bundlers hand over its default export, Node hands over the module
const CredentialsProvider = ((credentialsModule as { default?: unknown }).default ??
  credentialsModule) as typeof credentialsModule

const ABSOLUTE_LIMIT_SECONDS = ABSOLUTE_LIMIT_MS / 1000

/**
 * How our own users sign in. The cookie is next-auth's encrypted JWT, and holds nothing but the key of a session row:
 * the organization and a secret. It never holds anything of the platform's.
 */
export function authOptions(now: Date): AuthOptions {
  return {
    providers: [
      CredentialsProvider({
        credentials: { email: { type: 'email' }, password: { type: 'password' } },
        authorize: (credentials) => findUser(credentials?.email, credentials?.password),
      }),
    ],
    session: { strategy: 'jwt', maxAge: ABSOLUTE_LIMIT_SECONDS },
    jwt: { maxAge: ABSOLUTE_LIMIT_SECONDS },
    pages: { signIn: '/sign-in', error: '/sign-in' },
    cookies: {
      sessionToken: {
        name: cookieNames().session,
        options: { httpOnly: true, sameSite: 'lax', path: '/', secure: isSecureOrigin() },
      },
    },
    callbacks: {
      async jwt({ user }) {
        const { organizationId, id } = user as SignedInUser
        const key = await startSession({ organizationId, userId: id }, now)
        return { org: key.organizationId, sid: key.secret }
      },
    },
    logger: nextAuthLog,
    debug: false,
  }
}

type SignedInUser = { id: string; organizationId: string }

/** The user of an email address and password, or null; equally slow whether or not the address is known. */
async function findUser(email: unknown, password: unknown): Promise<SignedInUser | null> {
  if (typeof email !== 'string' || typeof password !== 'string' || email.length > 320) return null
  const [user] = await withSystemSql((sql) =>
    sql<SignedInUser & { passwordHash: string | null }>(
      `select id, organization_id as "organizationId", password_hash as "passwordHash"
       from app_user where email = $1 and disabled_at is null`,
      // PostgreSQL's text cannot hold NUL: such an address is nobody's
      [email.includes('\0') ? '' : email.trim().toLowerCase()],
    ),
  )
  const isRight = await verifyPassword(password, user?.passwordHash ?? null)
  return isRight && user !== undefined ? { id: user.id, organizationId: user.organizationId } : null
}
