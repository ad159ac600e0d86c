import { type NextRequest, NextResponse } from 'next/server'
import { cookieNames } from './lib/auth/cookies.ts'
import { settings } from './lib/env.ts'

/**
 * Sends a browser without a session cookie to sign in before any page is rendered. A convenience, not the lock: whether the
 * cookie is worth anything is decided by each page and route (lib/auth).
 */
export function proxy(request: NextRequest): NextResponse {
  if (request.cookies.has(cookieNames().session)) return NextResponse.next()
  const { pathname, search } = request.nextUrl
  const next = pathname + search
  const signIn = new URL('/sign-in', settings().appUrl)
  if (next !== '/') signIn.searchParams.set('next', next)
  return NextResponse.redirect(signIn, 307)
}

/** Pages only: routes answer 401 themselves, and sign-in, the marketplace's door and the build's files need no session. */
export const config = { matcher: ['/((?!api/|_next/|sign-in|connect$|icon\\.svg).*)'] }
