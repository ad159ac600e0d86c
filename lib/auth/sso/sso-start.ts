import { settings } from '#lib/env.ts'
import { OperationalError } from '#lib/errors.ts'
import { cookieNames } from '#lib/http/cookies.ts'
import { readBody } from '#lib/http/read-form.ts'
import { leaveTo, redirectTo } from '#lib/http/replies.ts'
import { toSafePath } from '#lib/http/safe-path.ts'
import { log } from '#lib/log.ts'
import { driveNextAuth } from '../connect/drive-next-auth.ts'
import { toDomain } from './claims.ts'
import { discover } from './discovery.ts'
import { ProviderError } from './provider-http.ts'
import { keepAttempt } from './sso-attempt.ts'
import { SSO_PROVIDER, ssoOptions } from './sso-options.ts'
import { findOrganizationOf, readSsoClient } from './sso-settings.ts'
import type { SsoErrorKey } from './sso-words.ts'

/**
 * Answers the form of single sign-on (fields domain, next): sends the browser to the identity
 * provider of the organization that claims the domain. A domain that nobody claims, one whose
 * organization has it switched off, and no domain get one answer.
 */
export async function startSso(request: Request, now: Date): Promise<Response> {
  const body = await readBody(request)
  const fields = body.kind === 'form' ? body.value : {}
  const next = toSafePath(fields.next, settings().appUrl)
  const domain = toDomain(fields.domain ?? '')
  const organizationId = domain === null ? null : await findOrganizationOf(domain)
  const client = organizationId === null ? null : await readSsoClient(organizationId)
  if (organizationId === null || client === null) return backToSignIn('sso_unknown', next)
  try {
    const metadata = await discover(client.issuer, now)
    const { location, setCookies } = await driveNextAuth(
      { method: 'POST', action: 'signin', provider: SSO_PROVIDER },
      ssoOptions(client, metadata, () => {
        throw new Error('no code is expected while single sign-on starts')
      }),
    )
    const { state, nonce, verifier } = cookieNames().sso
    const made = [state, nonce, verifier].map((name) => setCookies.get(name)).filter((cookie) => cookie !== undefined)
    const sent = readState(location, metadata.authorizationEndpoint)
    if (location === null || sent === null || made.length !== 3)
      throw new OperationalError('internal', 'next-auth did not prepare the way to the identity provider')
    const { issuer, clientId } = client
    return leaveTo(location, [...made, keepAttempt({ organizationId, issuer, clientId, next }, sent, now)])
  } catch (thrown) {
    if (!(thrown instanceof ProviderError)) throw thrown
    log.warn({ organizationId, reason: thrown.message }, 'single sign-on could not start')
    return backToSignIn('sso_failed', next)
  }
}

/** The state in an address of the provider's sign-in page; null for any other address. */
function readState(location: string | null, endpoint: string): string | null {
  if (location === null || !URL.canParse(location)) return null
  const url = new URL(location)
  return url.origin === new URL(endpoint).origin ? url.searchParams.get('state') : null
}

/** The sign-in page with a reason; `cookies` are set on the way. */
export function backToSignIn(error: SsoErrorKey, next: string, cookies: string[] = []): Response {
  return redirectTo(`/sign-in?${new URLSearchParams(next === '/' ? { error } : { error, next })}`, cookies)
}
