import { withSystem } from '#lib/db/tenant.ts'
import { toClientNetwork } from '#lib/http/client-address.ts'
import { parseCookies } from '#lib/http/cookies.ts'
import { log } from '#lib/log.ts'
import { readKnownBrowser, rememberBrowser } from './known-browser.ts'
import { verifyPassword } from './password.ts'
import type { SignedInUser } from './sessions.ts'
import { BUSY_SECONDS, forgiveAtDoor } from './sign-in-door.ts'
import { countAttempt, forgetAttempt, toThrottleHash, type Who } from './sign-in-throttle.ts'

type VerifiedUser = SignedInUser & { passwordHash: string }

/**
 * How an attempt to sign in ended. `wait`: too many were made or are under way; nothing was
 * checked, and the client may retry after `seconds`. `gone`: the client has left.
 */
export type AttemptEnd =
  | { kind: 'right'; user: VerifiedUser; browserCookie: string }
  | { kind: 'wrong' }
  | { kind: 'wait'; seconds: number }
  | { kind: 'gone' }

/** Longer than any account's address (RFC 5321, 4.5.3.1). */
const MAX_EMAIL_CHARACTERS = 320

/**
 * Checks the email and password of a request. Counts the attempt first. Whether the account exists
 * changes neither the work nor the answer. Logs one line per refusal, which names account and
 * network only by keyed hashes.
 */
export async function attemptSignIn(
  request: Request,
  { email, password }: { email: string; password: string },
  now: Date,
): Promise<AttemptEnd> {
  const address = toAccountAddress(email)
  const account = toThrottleHash('account', address)
  const browser = readKnownBrowser(parseCookies(request.headers.get('cookie')), account, now)
  const network = toThrottleHash('network', toClientNetwork(request.headers))
  const who: Who = { account, network, browser }
  const seconds = Math.ceil(await countAttempt(who))
  if (seconds > 0) return refuse(who, 'throttled', { kind: 'wait', seconds })
  const user = await findUser(address)
  // a person in a known browser does not queue with strangers
  const turn = { isKnown: browser !== null, signal: request.signal }
  const verdict = await verifyPassword(password, user?.passwordHash ?? null, turn)
  if (verdict === 'busy') return refuse(who, 'busy', { kind: 'wait', seconds: BUSY_SECONDS })
  if (verdict === 'gone') return refuse(who, 'gone', { kind: 'gone' })
  if (verdict === 'wrong' || user === null) return refuse(who, 'wrong', { kind: 'wrong' })
  await forgetAttempt(who)
  forgiveAtDoor(request.headers, now)
  return { kind: 'right', user, browserCookie: rememberBrowser(account, browser, now) }
}

function refuse(who: Who, why: string, end: AttemptEnd): AttemptEnd {
  const [account, network] = [who.account.slice(0, 12), who.network.slice(0, 12)]
  log.warn({ why, account, network, isKnownBrowser: who.browser !== null }, 'sign-in refused')
  return end
}

/** The address as accounts store it; empty, which no account has, for what cannot be one. */
function toAccountAddress(email: string): string {
  const address = email.trim().toLowerCase()
  // PostgreSQL's text cannot hold NUL
  return address.length > MAX_EMAIL_CHARACTERS || address.includes('\0') ? '' : address
}

async function findUser(address: string): Promise<VerifiedUser | null> {
  const user = await withSystem((records) =>
    records.user.findFirst({
      where: { email: address, disabledAt: null },
      select: { id: true, organizationId: true, passwordHash: true },
    }),
  )
  if (user === null || user.passwordHash === null) return null
  return { userId: user.id, organizationId: user.organizationId, passwordHash: user.passwordHash }
}
