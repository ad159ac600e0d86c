import { makeSecret } from '#lib/connections/secret-hash.ts'
import { toClientNetwork } from '#lib/http/client-address.ts'
import { cookieNames, parseCookies, toSetCookie } from '#lib/http/cookies.ts'
import { readBody } from '#lib/http/read-form.ts'
import { errorReply, jsonReply } from '#lib/http/replies.ts'
import { SingleSignOnRequiredError } from '../enforced-sign-on.ts'
import { CHALLENGE_SECONDS } from '../factors/passkey-challenges.ts'
import { hasPasskeys, toSignInOptions, verifyPasskey } from '../factors/passkeys.ts'
import { toThrottleHash } from '../limits/sign-in-throttle.ts'
import { UserChangedError } from '../sessions.ts'
import { replaceSession, SIGN_IN_ERRORS, toPendingCookie } from './sign-in.ts'

/** Sent to the two routes of signing in with a passkey only. */
const PATH = '/api/sign-in/passkey'

/** What the browser needs to sign in with a passkey; only this browser can use it. */
export async function offerPasskeySignIn(request: Request, now: Date): Promise<Response> {
  const holder = makeSecret()
  const network = toThrottleHash('network', toClientNetwork(request.headers))
  const options = hasPasskeys() ? await toSignInOptions({ purpose: 'sign-in', holder }, network, now) : null
  if (options === null) return errorReply(429, 'sign-in-busy', 'Please wait a few minutes and try again.')
  const reply = jsonReply(options)
  reply.headers.append('set-cookie', toSetCookie(cookieNames().passkey, holder, PATH, CHALLENGE_SECONDS))
  return reply
}

/**
 * Answers the browser's proof (JSON) with a session. The authenticator has verified the person, so
 * there is no second step. A session id is never taken over.
 */
export async function signInWithPasskey(request: Request, now: Date): Promise<Response> {
  const holder = parseCookies(request.headers.get('cookie')).get(cookieNames().passkey)
  const body = await readBody(request)
  if (body.kind !== 'json' || holder === undefined || typeof body.value !== 'object' || body.value === null)
    return refuse()
  const person = await verifyPasskey(body.value, { purpose: 'sign-in', holder }, now)
  if (person === null) return refuse()
  try {
    const cookie = await replaceSession(request, person, now)
    const reply = jsonReply({ signedIn: true })
    for (const each of [cookie, toPendingCookie(''), toSetCookie(cookieNames().passkey, '', PATH, 0)])
      reply.headers.append('set-cookie', each)
    return reply
  } catch (thrown) {
    if (thrown instanceof UserChangedError) return refuse()
    if (thrown instanceof SingleSignOnRequiredError) return refuse('single_sign_on')
    throw thrown
  }
}

function refuse(why: 'passkey' | 'single_sign_on' = 'passkey'): Response {
  return errorReply(401, 'passkey-refused', SIGN_IN_ERRORS[why])
}
