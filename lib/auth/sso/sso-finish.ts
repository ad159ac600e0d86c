import { hashSecret } from '#lib/connections/secret-hash.ts'
import { toKnownError } from '#lib/db/database-trouble.ts'
import { toClientNetwork } from '#lib/http/client-address.ts'
import { cookieNames, parseCookies, SSO_CALLBACK_PATH, toSetCookie } from '#lib/http/cookies.ts'
import { redirectTo } from '#lib/http/replies.ts'
import { log } from '#lib/log.ts'
import { driveNextAuth } from '../connect/drive-next-auth.ts'
import { toPlace } from '../place.ts'
import { startSession, UserChangedError } from '../sessions.ts'
import { endCurrentSession, makeSessionCookie } from '../sign-in/sign-in.ts'
import { isOverage, toPerson } from './claims.ts'
import { discover } from './discovery.ts'
import type { SsoClient } from './model.ts'
import { ProviderError } from './provider-http.ts'
import { refusePerson, settlePerson } from './settle-person.ts'
import { readAttempt, type SsoAttempt, spendAttempt } from './sso-attempt.ts'
import { SSO_PROVIDER, ssoOptions } from './sso-options.ts'
import { readSsoClient } from './sso-settings.ts'
import { backToSignIn } from './sso-start.ts'
import type { SsoErrorKey } from './sso-words.ts'
import { type CodeAnswer, tradeCode } from './trade-code.ts'

/**
 * The identity provider sends the browser back here. Checks that this browser began it, not long
 * ago, and only once; then trades the code and signs the person in. Every other end is the sign-in
 * page with a fixed reason: nothing that the provider says is ever shown.
 */
export async function finishSso(request: Request, now: Date): Promise<Response> {
  const cookies = parseCookies(request.headers.get('cookie'))
  const attempt = readAttempt(cookies, now)
  if (attempt === null) return backToSignIn('sso_expired', '/')
  const parameters = new URL(request.url).searchParams
  const state = readOnce(parameters, 'state')
  // another tab of this browser may still finish: its cookies stay
  if (state === null || hashSecret(state) !== attempt.stateHash) return backToSignIn('sso_expired', attempt.next)
  const end = await finish(request, attempt, parameters, now)
  if (typeof end !== 'string') return redirectTo(attempt.next, [...clearedCookies(), end.sessionCookie])
  return backToSignIn(end, attempt.next, clearedCookies())
}

async function finish(
  request: Request,
  attempt: SsoAttempt,
  parameters: URLSearchParams,
  now: Date,
): Promise<SsoErrorKey | { sessionCookie: string }> {
  try {
    if (!(await spendAttempt(attempt, now))) return 'sso_expired'
    // an error counts first and alone: a code beside it is not used (reliability A4)
    if (parameters.has('error'))
      return readOnce(parameters, 'error') === 'access_denied' ? 'sso_declined' : 'sso_failed'
    const client = await readSsoClient(attempt.organizationId)
    // switched off, or of another provider, meanwhile
    if (client?.issuer !== attempt.issuer || client.clientId !== attempt.clientId) return 'sso_expired'
    // whose answer it is, where the provider says so (RFC 9207)
    if (parameters.has('iss') && readOnce(parameters, 'iss') !== client.issuer) return 'sso_failed'
    return await enter(request, attempt, client, parameters, now)
  } catch (thrown) {
    if (thrown instanceof UserChangedError) return 'sso_disabled'
    const { code, message, stack } = toKnownError(thrown)
    const isTheirs = thrown instanceof ProviderError
    const { organizationId } = attempt
    if (isTheirs) log.warn({ organizationId, reason: thrown.message }, 'single sign-on was not believed')
    else log.error({ organizationId, errorCode: code, reason: message, stack }, 'single sign-on failed')
    return 'sso_failed'
  }
}

async function enter(
  request: Request,
  { organizationId }: SsoAttempt,
  client: SsoClient,
  parameters: URLSearchParams,
  now: Date,
): Promise<SsoErrorKey | { sessionCookie: string }> {
  const metadata = await discover(client.issuer, now)
  let answer: CodeAnswer | null = null
  await driveNextAuth(
    {
      method: 'GET',
      action: 'callback',
      provider: SSO_PROVIDER,
      query: { code: readOnce(parameters, 'code') ?? '', state: readOnce(parameters, 'state') ?? '' },
      cookies: toNextAuthCookies(request),
    },
    ssoOptions(client, metadata, (checked) => {
      answer = checked
    }),
  )
  if (answer === null) return 'sso_failed'
  const claims = await tradeCode(client, metadata, answer, now)
  const person = toPerson(client.issuer, claims, client)
  if (person === null) throw new ProviderError('a subject that names nobody')
  if (isOverage(claims, client.roleClaim)) {
    await refusePerson(organizationId, person, 'sso_overage')
    return 'sso_overage'
  }
  const arrival = { organizationId, domains: client.domains, network: toClientNetwork(request.headers) }
  const settled = await settlePerson(arrival, person)
  if ('refused' in settled) return settled.refused
  const key = await startSession(
    { organizationId, userId: settled.userId, bySingleSignOn: true },
    now,
    toPlace(request.headers),
  )
  const sessionCookie = await makeSessionCookie(key)
  await endCurrentSession(request, now)
  return { sessionCookie }
}

function readOnce(parameters: URLSearchParams, name: string): string | null {
  const [value, ...others] = parameters.getAll(name)
  return value !== undefined && value !== '' && others.length === 0 ? value : null
}

function toNextAuthCookies(request: Request): Record<string, string> {
  const cookies = parseCookies(request.headers.get('cookie'))
  const { state, nonce, verifier } = cookieNames().sso
  return Object.fromEntries([state, nonce, verifier].map((name) => [name, cookies.get(name) ?? '']))
}

function clearedCookies(): string[] {
  return Object.values(cookieNames().sso).map((name) => toSetCookie(name, '', SSO_CALLBACK_PATH, 0))
}
