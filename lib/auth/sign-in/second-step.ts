import { recordAudit } from '#lib/audit/record-audit.ts'
import { withTenant } from '#lib/db/tenant.ts'
import { toClientNetwork } from '#lib/http/client-address.ts'
import { cookieNames, parseCookies } from '#lib/http/cookies.ts'
import { readBody } from '#lib/http/read-form.ts'
import { redirectTo } from '#lib/http/replies.ts'
import { toWaitReply } from '#lib/http/wait-reply.ts'
import { log } from '#lib/log.ts'
import { SingleSignOnRequiredError } from '../enforced-sign-on.ts'
import { type Spent, spendCode } from '../factors/authenticator.ts'
import {
  endPending,
  findPending,
  type Pending,
  type PendingKey,
  readPendingKey,
  takeTry,
} from '../factors/pending-sign-in.ts'
import { countAttempt, forgetAttempt, toThrottleHash, type Who } from '../limits/sign-in-throttle.ts'
import { UserChangedError } from '../sessions.ts'
import { readKnownBrowser, rememberBrowser } from './known-browser.ts'
import { replaceSession, toPendingCookie } from './sign-in.ts'

const FORM = '/sign-in/second-step'
/** More than any code has. */
const MAX_CODE_CHARACTERS = 60

/**
 * Answers the form of the second step (field code): a session, or the form again, or signing in
 * from the beginning. Codes are counted like passwords, in counts of their own that the right
 * password does not reset; each code signs in once.
 */
export async function takeSecondStep(request: Request, now: Date): Promise<Response> {
  const cookies = parseCookies(request.headers.get('cookie'))
  const key = readPendingKey(cookies.get(cookieNames().secondStep))
  const pending = key === null ? null : await findPending(key, now)
  if (key === null || pending === null) return beginAgain('second-step')
  const body = await readBody(request)
  if (body.kind !== 'form') return backToCode()
  const { code = '' } = body.value
  const known = toThrottleHash('account', pending.email)
  const browser = readKnownBrowser(cookies, known, now)
  const network = toThrottleHash('network', toClientNetwork(request.headers))
  const who: Who = { account: toThrottleHash('account', `second step ${pending.userId}`), network, browser }
  const seconds = Math.ceil(await countAttempt(who))
  if (seconds > 0) {
    refused('throttled', who)
    const { body: page, ...rest } = toWaitReply(seconds, '/', FORM)
    return new Response(page, rest)
  }
  if (!(await takeTry(key, now))) return beginAgain('second-step')
  const spent = code.length > MAX_CODE_CHARACTERS ? null : await spend(key, pending, code, request, now)
  if (spent === null) {
    refused('wrong code', who)
    return (await findPending(key, now)) === null ? beginAgain('second-step') : backToCode()
  }
  try {
    const cookie = await replaceSession(request, pending, now)
    await forgetAttempt(who)
    const next = spent.codesLeft === null ? pending.next : '/account?said=recovery-code#second-step'
    return redirectTo(next, [cookie, rememberBrowser(known, browser, now), toPendingCookie('')])
  } catch (thrown) {
    if (thrown instanceof UserChangedError) return beginAgain('credentials')
    if (thrown instanceof SingleSignOnRequiredError) return beginAgain('single_sign_on')
    throw thrown
  }
}

/** Uses the code and the pending sign-in up together: of several at once, one gets through. */
function spend(key: PendingKey, pending: Pending, code: string, request: Request, now: Date): Promise<Spent | null> {
  const { organizationId, userId, email } = pending
  return withTenant(organizationId, async (records, sql) => {
    const spent = await spendCode(records, pending, code, now)
    if (spent === null || !(await endPending(records, key))) return null
    if (spent.codesLeft !== null)
      await recordAudit(sql, organizationId, {
        actor: { kind: 'person', userId, name: email, network: toClientNetwork(request.headers) },
        action: 'second-step.use-code',
        subject: { kind: 'user', id: userId, name: email },
        after: { left: spent.codesLeft },
      })
    return spent
  })
}

function refused(why: string, { account, network, browser }: Who): void {
  const [who, where] = [account.slice(0, 12), network.slice(0, 12)]
  log.warn({ why, account: who, network: where, isKnownBrowser: browser !== null }, 'second step refused')
}

function backToCode(): Response {
  return redirectTo(`${FORM}?error=code`)
}

function beginAgain(error: 'second-step' | 'credentials' | 'single_sign_on'): Response {
  return redirectTo(`/sign-in?error=${error}`, [toPendingCookie('')])
}
