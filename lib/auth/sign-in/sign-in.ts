import { toKnownError } from '#lib/db/database-trouble.ts'
import { isDatabaseUp } from '#lib/db/probe.ts'
import { settings } from '#lib/env.ts'
import { OperationalError } from '#lib/errors.ts'
import { toClientNetwork } from '#lib/http/client-address.ts'
import { cookieNames, parseCookies, toSetCookie } from '#lib/http/cookies.ts'
import { readBody } from '#lib/http/read-form.ts'
import { errorReply, redirectTo } from '#lib/http/replies.ts'
import { toSafePath } from '#lib/http/safe-path.ts'
import { toWaitReply } from '#lib/http/wait-reply.ts'
import { log } from '#lib/log.ts'
import { authOptions } from '../connect/auth-options.ts'
import { driveNextAuth } from '../connect/drive-next-auth.ts'
import { readSessionKey } from '../doors/read-session.ts'
import { refusesPassword, SingleSignOnRequiredError } from '../enforced-sign-on.ts'
import { beginPending, PENDING_SECONDS } from '../factors/pending-sign-in.ts'
import { toPlace } from '../place.ts'
import { endSession, type SessionKey, type SignedInUser, startSession, UserChangedError } from '../sessions.ts'
import { raiseCost } from './raise-cost.ts'
import { attemptSignIn } from './sign-in-attempt.ts'
import { forgiveAtDoor, guardDoor } from './sign-in-door.ts'

/** Why the sign-in page is shown again: `/sign-in?error=<key>`. */
export const SIGN_IN_ERRORS = {
  credentials: 'This email and password do not match.',
  origin: 'This page was opened at an address it is not set up for. Open its own address and sign in again.',
  single_sign_on: 'Your organization takes no passwords. Continue with single sign-on.',
  form: 'The form arrived damaged. Please try again.',
  unavailable: 'You cannot sign in at the moment. Please try again in a minute.',
  'second-step': 'Signing in took too long or too many codes. Please begin again.',
  ended:
    'You were signed out: the time for signing in was over, or you were signed out elsewhere. Sign in to go on where you were.',
  passkey: 'This passkey does not sign you in here. Use your password, or another passkey.',
} as const

type SignInErrorKey = keyof typeof SIGN_IN_ERRORS

/**
 * Answers the sign-in form (fields email, password, next) in one request, without JavaScript: 303
 * to `next` with a new session, or back to the form; 429 with `Retry-After` and a page that leads
 * there after too many tries. Ends the browser's previous session: a session id is never taken
 * over. The route has checked that the form is ours.
 */
export async function signIn(request: Request, now: Date): Promise<Response> {
  guardDoor()
  const body = await readBody(request)
  // nobody waits at a form for half a minute
  if (body.kind === 'refused' && body.status === 408) return errorReply(408, 'bad-request', body.text)
  if (body.kind !== 'form') return backToForm('form', '/')
  const next = toSafePath(body.value.next, settings().appUrl)
  const { email = '', password = '' } = body.value
  try {
    const end = await attemptSignIn(request, { email, password }, now)
    if (end.kind === 'wait') {
      const { body, ...rest } = toWaitReply(end.seconds, next)
      return new Response(body, rest)
    }
    if (end.kind !== 'right') return backToForm('credentials', next, email)
    // before a second step is asked for, which would be for nothing
    if (await refusesPassword(end.user)) return backToForm('single_sign_on', next, email)
    // nobody waits for it
    void raiseCost(end.user, password)
    const pending = await beginPending(end.user, next, now)
    // the browser is not known by its password alone: whoever guesses codes has that
    if (pending !== null) return redirectTo('/sign-in/second-step', [toPendingCookie(pending)])
    return redirectTo(next, [await replaceSession(request, end.user, now), end.browserCookie])
  } catch (thrown) {
    if (thrown instanceof UserChangedError) return backToForm('credentials', next, email)
    if (thrown instanceof SingleSignOnRequiredError) return backToForm('single_sign_on', next, email)
    const { code, message, stack } = toKnownError(thrown)
    log.error({ errorCode: code, reason: message, stack }, 'signing in failed')
    void forgiveOutage(request, now)
    return backToForm('unavailable', next, email)
  }
}

/**
 * Who could not sign in because the database was away was not flooding: an office that tries while
 * it changes servers gets in once it is back. A database that answers, however slowly, is not away:
 * else a flood that keeps it busy would be forgiven for it.
 */
async function forgiveOutage(request: Request, now: Date): Promise<void> {
  if (!(await isDatabaseUp())) forgiveAtDoor(request.headers, now)
}

/**
 * The cookie of a new session for somebody who has shown who they are. The browser's previous one
 * ends. @throws UserChangedError when they may not sign in any more.
 */
export async function replaceSession(request: Request, user: SignedInUser, now: Date): Promise<string> {
  const cookie = await makeSessionCookie(await startSession(user, now, toPlace(request.headers)))
  await endCurrentSession(request, now)
  return cookie
}

/** The Set-Cookie value that gives a browser the key of its session. */
export async function makeSessionCookie(key: SessionKey): Promise<string> {
  const { setCookies } = await driveNextAuth(
    { method: 'POST', action: 'callback', provider: 'credentials' },
    authOptions(key),
  )
  const cookie = setCookies.get(cookieNames().session)
  if (cookie === undefined) throw new OperationalError('internal', 'next-auth made no session cookie')
  return cookie
}

/** Answers the sign-out form: ends the session, clears its cookie, leads to the sign-in page. */
export async function signOut(request: Request, now: Date): Promise<Response> {
  await endCurrentSession(request, now, { network: toClientNetwork(request.headers) })
  return redirectTo('/sign-in', [toSetCookie(cookieNames().session, '', '/', 0)])
}

/** Ends the session that the browser of a request has, if it has one. */
export async function endCurrentSession(request: Request, now: Date, leaving?: { network: string }): Promise<void> {
  const key = await readSessionKey(parseCookies(request.headers.get('cookie')).get(cookieNames().session))
  if (key !== null) await endSession(key, now, leaving)
}

/** Where a sign-in that waits for its second step keeps its key; empty removes it. */
export function toPendingCookie(value: string): string {
  return toSetCookie(cookieNames().secondStep, value, '/', value === '' ? 0 : PENDING_SECONDS)
}

const EMAIL_KEPT_SECONDS = 60

/**
 * The form again, with the email that was typed into it. It is not in the address, which browsers
 * and servers write down.
 */
function backToForm(error: SignInErrorKey, next: string, email = ''): Response {
  const kept = email.slice(0, 320)
  return redirectTo(
    `/sign-in?${new URLSearchParams(next === '/' ? { error } : { error, next })}`,
    kept === '' ? [] : [toSetCookie(cookieNames().enteredEmail, kept, '/sign-in', EMAIL_KEPT_SECONDS)],
  )
}
