import { randomBytes } from 'node:crypto'
import { type NextRequest, NextResponse } from 'next/server'
import { countRequest, recallPerson } from '#lib/auth/limits/request-budget.ts'
import { settings } from '#lib/env.ts'
import { toClientNetwork } from '#lib/http/client-address.ts'
import { toContentPolicy } from '#lib/http/content-policy.ts'
import { cookieNames } from '#lib/http/cookies.ts'
import { toTooManyReply } from '#lib/http/wait-reply.ts'

/** Needs no session: sign-in, links of mails, the marketplace's door, and files of the build. */
const OPEN = /^\/(sign-in|invite$|pack$|connect$|unsubscribe$|_next\/)/

/**
 * Runs before any page renders. Sets a content policy with a fresh nonce, which Next.js reads from
 * the request and puts on its scripts, sends a browser without a session cookie to sign in, and
 * asks a person who is too quick to wait. The redirect is a convenience, not the lock: each page
 * and route checks the cookie itself (lib/auth).
 */
export function proxy(request: NextRequest): NextResponse {
  const waitSeconds = countPage(request)
  if (waitSeconds > 0) {
    const { body, ...rest } = toTooManyReply(waitSeconds)
    return new NextResponse(body, rest)
  }
  const { appUrl, isProduction } = settings()
  const policy = toContentPolicy({ nonce: randomBytes(16).toString('base64'), isDevelopment: !isProduction })
  const { pathname } = request.nextUrl
  const isAllowed = OPEN.test(pathname) || request.cookies.has(cookieNames().session)
  const reply = isAllowed ? toPage(request, policy) : toSignIn(request, appUrl)
  reply.headers.set('content-security-policy', policy)
  return reply
}

/**
 * Seconds that the person has to wait before the next page. It is counted here since a page cannot
 * set its reply's status; a session's very first page is not counted, as nobody knows it yet.
 */
function countPage(request: NextRequest): number {
  const cookie = request.cookies.get(cookieNames().session)?.value
  const userId = cookie === undefined ? null : recallPerson(cookie)
  if (userId === null) return 0
  return countRequest('page', { userId, network: toClientNetwork(request.headers) }, new Date())
}

function toPage(request: NextRequest, policy: string): NextResponse {
  const headers = new Headers(request.headers)
  headers.set('content-security-policy', policy)
  // built once, with scripts that cannot have a nonce: Next.js shows it in an emergency, nobody
  // requests it
  if (request.nextUrl.pathname === '/_global-error')
    return NextResponse.rewrite(new URL('/_not-found', request.nextUrl), { request: { headers } })
  return NextResponse.next({ request: { headers } })
}

function toSignIn({ nextUrl }: NextRequest, appUrl: string): NextResponse {
  const next = nextUrl.pathname + nextUrl.search
  const signIn = new URL('/sign-in', appUrl)
  if (next !== '/') signIn.searchParams.set('next', next)
  return NextResponse.redirect(signIn, 307)
}

/** Everything that may be a page; routes and files have their own policy (next.config.mjs). */
export const config = { matcher: ['/((?!api/|_next/static/|icon\\.svg).*)'] }
