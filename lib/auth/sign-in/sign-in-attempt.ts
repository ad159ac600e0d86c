import { recordAudit } from '#lib/audit/record-audit.ts'
import { withSystem, withTenantSql } from '#lib/db/tenant.ts'
import { toClientNetwork } from '#lib/http/client-address.ts'
import { parseCookies } from '#lib/http/cookies.ts'
import { log } from '#lib/log.ts'
import { countAttempt, forgetAttempt, toThrottleHash, type Who } from '../limits/sign-in-throttle.ts'
import type { AppSession } from '../model.ts'
import { verifyPassword } from '../passwords/password.ts'
import type { SignedInUser } from '../sessions.ts'
import { readKnownBrowser, rememberBrowser } from './known-browser.ts'
import { BUSY_SECONDS, forgiveAtDoor } from './sign-in-door.ts'

type VerifiedUser = SignedInUser & { passwordHash: string }

/**
 * How an attempt to sign in ended. `wait`: too many were made or are under way; nothing was
 * checked, and the client may retry after `seconds`. `gone`: the client has left.
 */
export type CheckEnd =
  | { kind: 'right'; user: VerifiedUser }
  | { kind: 'wrong' }
  | { kind: 'wait'; seconds: number }
  | { kind: 'gone' }

/** `browserCookie`: makes the browser known to the account from now on. */
export type AttemptEnd =
  | Exclude<CheckEnd, { kind: 'right' }>
  | { kind: 'right'; user: VerifiedUser; browserCookie: string }

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
  const end = await checkPassword(request, toWho(request, account, browser), address, password)
  if (end.kind !== 'right') return end
  forgiveAtDoor(request.headers, now)
  return { ...end, browserCookie: rememberBrowser(account, browser, now) }
}

/**
 * Checks the password of a person who is signed in, as strictly as at signing in. Counts for the
 * session alone: nobody else can use up its tries.
 */
export function attemptOwnPassword(
  request: Request,
  { email, sessionIdHash }: AppSession,
  password: string,
): Promise<CheckEnd> {
  const browser = toThrottleHash('browser', `session ${sessionIdHash}`)
  return checkPassword(request, toWho(request, toThrottleHash('account', email), browser), email, password)
}

/** Forgets what was tried at an account from this network: the person has shown who they are. */
export function forgiveAccount(request: Request, email: string): Promise<void> {
  return forgetAttempt(toWho(request, toThrottleHash('account', email), null))
}

function toWho(request: Request, account: string, browser: string | null): Who {
  return { account, network: toThrottleHash('network', toClientNetwork(request.headers)), browser }
}

async function checkPassword(request: Request, who: Who, address: string, password: string): Promise<CheckEnd> {
  const { browser } = who
  const seconds = Math.ceil(await countAttempt(who))
  if (seconds > 0) return refuse(who, 'throttled', { kind: 'wait', seconds })
  const user = await findUser(address)
  // a person in a known browser does not queue with strangers
  const turn = { isKnown: browser !== null, signal: request.signal }
  const verdict = await verifyPassword(password, user?.passwordHash ?? null, turn)
  if (verdict === 'busy') return refuse(who, 'busy', { kind: 'wait', seconds: BUSY_SECONDS })
  if (verdict === 'gone') return refuse(who, 'gone', { kind: 'gone' })
  if (verdict === 'wrong' && user !== null) noteRefusal(user, address, toClientNetwork(request.headers))
  if (verdict === 'wrong' || user === null) return refuse(who, 'wrong', { kind: 'wrong' })
  await forgetAttempt(who)
  return { kind: 'right', user }
}

/** Not awaited: how long an answer takes does not tell whether there is such an account. */
function noteRefusal({ organizationId, userId }: VerifiedUser, email: string, network: string): void {
  withTenantSql(organizationId, (sql) =>
    recordAudit(sql, organizationId, {
      actor: { kind: 'program', name: 'web' },
      action: 'sign-in.refused',
      subject: { kind: 'person', id: userId, name: email },
      after: { network },
    }),
  ).catch((thrown: unknown) => {
    log.error({ reason: thrown instanceof Error ? thrown.message : String(thrown) }, 'a refusal is not in the audit')
  })
}

function refuse<End extends CheckEnd>(who: Who, why: string, end: End): End {
  const [account, network] = [who.account.slice(0, 12), who.network.slice(0, 12)]
  log.warn({ why, account, network, isKnownBrowser: who.browser !== null }, 'sign-in refused')
  return end
}

/** The address as accounts store it; empty, which no account has, for what cannot be one. */
export function toAccountAddress(email: string): string {
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
