import type { Actor } from '#lib/audit/model.ts'
import { type ConnectOutcomeKey, toConnectOutcome } from '#lib/connections/connect-outcomes.ts'
import {
  type ConnectIntent,
  findIntent,
  findSpentIntent,
  noteIntentOutcome,
  noteRefusal,
  spendIntent,
} from '#lib/connections/life/connect-intents.ts'
import { storeCandidate } from '#lib/connections/life/reconnect-store.ts'
import { storeConnection } from '#lib/connections/life/store-connection.ts'
import { hashSecret } from '#lib/connections/secret-hash.ts'
import { exchangeCode, type GrantedTokens } from '#lib/connections/tokens/granted-tokens.ts'
import { CALLBACK_PATH, cookieNames, parseCookies, toSetCookie } from '#lib/http/cookies.ts'
import { redirectTo } from '#lib/http/replies.ts'
import type { ConnectionId } from '#lib/ids.ts'
import { log } from '#lib/log.ts'
import { toActor } from '../doors/api-route.ts'
import { readRequestSession } from '../doors/read-session.ts'
import { isAllowed } from '../permissions.ts'
import { connectOptions, PARTNER_PROVIDER } from './connect-options.ts'
import { driveNextAuth } from './drive-next-auth.ts'

/**
 * The platform sends the browser back here (contract, endpoint 1, Callback). Checks everything
 * before next-auth sees the request: session, intent, role, parameters, state. Any problem ends at
 * the connections page with a fixed reason: no token call, no cookie changed, nothing stored but
 * how the intent ended. An answer that the browser fetches once more ends where it ended first.
 */
export async function finishConnect(request: Request, now: Date): Promise<Response> {
  const parameters = new URL(request.url).searchParams
  const checked = await checkIntent(request, now)
  if ('refusal' in checked) return refuse(checked)
  const { intent } = checked
  // an error counts first and alone: a code beside it is not used (reliability A4)
  if (parameters.has('error')) return endWithError(intent, parameters, now)
  const answer = readAnswer(parameters, intent)
  if (answer === null) return refuse({ refusal: 'state', by: intent, intent })
  if (!(await spendIntent(intent, null, now))) return refuse({ refusal: 'replayed', by: intent, intent })
  return exchange(request, intent, answer)
}

/** An intent and the person who finishes it. */
type OwnIntent = ConnectIntent & { actor: Actor }

/**
 * `by`: who is signed in here, if anybody; `intent`: once known to be this browser's; `endedAt`:
 * where its answer led the first time.
 */
type Refusal = {
  refusal: ConnectOutcomeKey
  endedAt?: string | null
  by?: Pick<OwnIntent, 'organizationId' | 'actor'>
  intent?: ConnectIntent
}

/** The intent that this browser's cookie names, if it may be finished here and now. */
async function checkIntent(request: Request, now: Date): Promise<{ intent: OwnIntent } | Refusal> {
  const states = new URL(request.url).searchParams.getAll('state')
  const id = parseCookies(request.headers.get('cookie')).get(cookieNames().intent)
  const session = await readRequestSession(request, now)
  if (session === null) return { refusal: 'not_started' }
  const by = { organizationId: session.organizationId, actor: toActor(session, request) }
  // the first answer took the cookie away, or a newer click has replaced it
  const spent = states.length === 1 && states[0] ? await findSpentIntent(session, states[0]) : null
  const intent = spent ?? (id === undefined ? null : await findIntent(id))
  if (intent === null) return { refusal: 'not_started', by }
  const isStarter =
    intent.organizationId === session.organizationId &&
    intent.userId === session.userId &&
    intent.sessionIdHash === session.sessionIdHash
  if (!isStarter) return { refusal: 'other_user', by }
  if (!isAllowed(session.role, 'connect-accounts')) return { refusal: 'not_admin', by }
  if (intent.spentAt !== null) {
    const isSame = states.every((state) => hashSecret(state) === intent.stateHash)
    return { refusal: 'replayed', by, intent, endedAt: isSame ? toFirstEnd(intent) : null }
  }
  if (intent.expiresAt <= now) return { refusal: 'expired', by, intent }
  return { intent: { ...intent, actor: by.actor } }
}

/** Code and state, if each came once and the state is the intent's (RFC 6749, 3.1 and 10.12). */
function readAnswer(parameters: URLSearchParams, intent: ConnectIntent): { code: string; state: string } | null {
  const [code, ...otherCodes] = parameters.getAll('code')
  const [state, ...otherStates] = parameters.getAll('state')
  if (!code || !state || otherCodes.length > 0 || otherStates.length > 0) return null
  return hashSecret(state) === intent.stateHash ? { code, state } : null
}

/**
 * Ends the intent with the platform's error. Only its kind is used: its words are never shown (RFC
 * 6749, 4.1.2.1).
 */
async function endWithError(intent: OwnIntent, parameters: URLSearchParams, now: Date): Promise<Response> {
  const states = parameters.getAll('state')
  // a state beside an error is not promised (assumption 33), but if present it must be right
  if (states.length > 0 && !(states.length === 1 && hashSecret(states[0] ?? '') === intent.stateHash))
    return refuse({ refusal: 'state', by: intent, intent })
  const outcome = parameters.getAll('error').join() === 'access_denied' ? 'declined' : 'refused'
  if (await spendIntent(intent, outcome, now)) return redirectTo(toPath(outcome, intent))
  return refuse({ refusal: 'replayed', by: intent, intent })
}

async function exchange(
  request: Request,
  intent: OwnIntent,
  answer: { code: string; state: string },
): Promise<Response> {
  const { connectState, intent: intentCookie } = cookieNames()
  let path: string | null = null
  const { setCookies } = await driveNextAuth(
    {
      method: 'GET',
      action: 'callback',
      provider: PARTNER_PROVIDER,
      query: answer,
      cookies: { [connectState]: parseCookies(request.headers.get('cookie')).get(connectState) ?? '' },
    },
    connectOptions(async (code) => {
      path = await trade(intent, code)
      return path
    }),
  )
  if (path === null) {
    // next-auth refused the state cookie; show our own outcome instead of its error page
    await noteIntentOutcome(intent, 'failed')
    path = toPath('failed', intent)
  }
  // both cookies belong to a spent intent
  const cleared = [setCookies.get(connectState), toSetCookie(intentCookie, '', CALLBACK_PATH, 0)]
  return redirectTo(
    path,
    cleared.filter((cookie) => cookie !== undefined),
  )
}

/** Trades the code and stores the tokens; returns the path to go to, also after a failure. */
async function trade(intent: OwnIntent, code: string): Promise<string> {
  const startedAt = performance.now()
  try {
    const tokens = await exchangeCode(code)
    if (typeof tokens !== 'string') return await storeTokens(intent, tokens, performance.now() - startedAt)
    await noteIntentOutcome(intent, tokens)
    return toPath(tokens, intent)
  } catch (error) {
    // next-auth would put the message into an address
    log.error({ reason: error instanceof Error ? error.message : 'unknown' }, 'a connection could not be stored')
    await noteIntentOutcome(intent, 'failed')
    return toPath('failed', intent)
  }
}

/** Connects a new account. Tokens for an existing connection wait for the account check. */
async function storeTokens(intent: OwnIntent, tokens: GrantedTokens, requestedMsAgo: number): Promise<string> {
  const { connectionId } = intent
  if (connectionId === null) {
    const made = await storeConnection(intent, tokens, requestedMsAgo)
    log.info({ connectionId: made.connectionId }, 'account connected')
    return toConnectedPath('connected', made.connectionId)
  }
  const isStored = await storeCandidate({ ...intent, connectionId }, tokens, requestedMsAgo)
  log.info({ connectionId, isStored }, 'consent given to connect again')
  if (isStored) return toConnectedPath('reconnecting', connectionId)
  await noteIntentOutcome(intent, 'disconnecting')
  return toPath('disconnecting')
}

/** Pass `intent` once known to be this browser's: it names the connection to start again with. */
function toPath(outcome: ConnectOutcomeKey, intent?: Pick<ConnectIntent, 'connectionId'>): string {
  const again = intent?.connectionId ? `&connection=${intent.connectionId}` : ''
  return `/connections?connect=${outcome}${again}`
}

/** Where the answer of a spent intent led; null while that is not known. */
function toFirstEnd(intent: ConnectIntent): string | null {
  const { outcome, connectionId } = intent
  if (outcome === 'connected' || outcome === 'reconnecting')
    return toConnectedPath(outcome, connectionId as ConnectionId)
  return toConnectOutcome(outcome) === null ? null : toPath(outcome as ConnectOutcomeKey, intent)
}

function toConnectedPath(outcome: 'connected' | 'reconnecting', connectionId: ConnectionId): string {
  return outcome === 'connected'
    ? `${toPath('connected')}&connection=${connectionId}`
    : `/connections/${connectionId}?connect=reconnecting`
}

/** Back to the connections page; the audit tells of it if somebody is signed in. */
async function refuse({ refusal, by, intent, endedAt }: Refusal): Promise<Response> {
  if (by !== undefined) await noteRefusal({ ...by, connectionId: intent?.connectionId ?? null }, refusal)
  return redirectTo(endedAt ?? toPath(refusal, intent))
}
