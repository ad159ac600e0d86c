import * as z from 'zod'
import { refuseStale } from '#lib/auth/account-route.ts'
import { writeRoute } from '#lib/auth/api-route.ts'
import { findIssuer } from '#lib/auth/sso/discovery.ts'
import { AUTH_METHODS } from '#lib/auth/sso/model.ts'
import { isProviderUrl, ProviderError } from '#lib/auth/sso/provider-http.ts'
import { domainLines, lines, ssoText } from '#lib/auth/sso/sso-fields.ts'
import { saveProvider } from '#lib/auth/sso/sso-settings.ts'
import { redirectTo } from '#lib/http/replies.ts'
import { log } from '#lib/log.ts'

const body = z.object({
  issuer: ssoText(500),
  clientId: ssoText(300),
  secret: ssoText(2000).or(z.literal('')).optional(),
  authMethod: z.enum(AUTH_METHODS),
  roleClaim: ssoText(300),
  admin: lines,
  finance: lines,
  viewer: lines,
  domains: domainLines,
})

/** POST /api/settings/single-sign-on: sets the identity provider, after asking it what it is. */
export const POST = writeRoute(
  { may: 'manage-organization', body: z.record(z.string(), z.unknown()) },
  async (call) => {
    const stale = await refuseStale(call, 'single-sign-on')
    if (stale !== null) return stale
    const { session, actor, body: fields } = call
    const parsed = body.safeParse(fields)
    if (!parsed.success) return back('error', `sso_field_${String(parsed.error.issues[0]?.path[0])}`)
    const { issuer: typed, secret, admin, finance, viewer, ...rest } = parsed.data
    if (!isProviderUrl(typed)) return back('error', 'sso_field_issuer')
    const issuer = await findIssuer(typed).catch((thrown) => {
      if (!(thrown instanceof ProviderError)) throw thrown
      log.warn({ reason: thrown.message }, 'an identity provider could not be set')
      return null
    })
    if (issuer === null) return back('error', 'sso_no_answer')
    const provider = { ...rest, issuer, values: { admin, finance, viewer } }
    const refusal = await saveProvider(session.organizationId, provider, secret || null, actor)
    return refusal === null ? back('said', 'sso_provider') : back('error', `sso_${refusal}`)
  },
)

function back(kind: 'said' | 'error', key: string): Response {
  return redirectTo(`/settings?${new URLSearchParams({ [kind]: key })}#single-sign-on`)
}
