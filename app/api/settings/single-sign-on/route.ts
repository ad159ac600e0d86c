import * as z from 'zod'
import { freshRoute } from '#lib/auth/doors/account-route.ts'
import { findIssuer } from '#lib/auth/sso/discovery.ts'
import { AUTH_METHODS } from '#lib/auth/sso/model.ts'
import { isProviderUrl, ProviderError } from '#lib/auth/sso/provider-http.ts'
import { domainLines, lines, ssoText } from '#lib/auth/sso/sso-fields.ts'
import { saveProvider } from '#lib/auth/sso/sso-settings.ts'
import { landAt } from '#lib/http/outcome.ts'
import { log } from '#lib/log.ts'

const body = z.object({
  issuer: ssoText(500),
  clientId: ssoText(300),
  secret: ssoText(2000).or(z.literal('')).optional(),
  authMethod: z.enum(AUTH_METHODS),
  roleClaim: ssoText(300),
  viewer: lines,
  auditor: lines,
  finance: lines,
  approver: lines,
  admin: lines,
  domains: domainLines,
})

/** POST /api/settings/single-sign-on: sets the identity provider, after asking it what it is. */
export const POST = freshRoute(
  { may: 'manage-organization', place: 'single-sign-on', body: z.record(z.string(), z.unknown()) },
  async ({ session, actor, body: fields }) => {
    const parsed = body.safeParse(fields)
    if (!parsed.success) return refuse(`field_${String(parsed.error.issues[0]?.path[0])}`)
    const { issuer: typed, secret, viewer, auditor, finance, approver, admin, ...rest } = parsed.data
    if (!isProviderUrl(typed)) return refuse('field_issuer')
    const issuer = await findIssuer(typed).catch((thrown) => {
      if (!(thrown instanceof ProviderError)) throw thrown
      log.warn({ reason: thrown.message }, 'an identity provider could not be set')
      return null
    })
    if (issuer === null) return refuse('no_answer')
    const provider = { ...rest, issuer, values: { viewer, auditor, finance, approver, admin } }
    const refusal = await saveProvider(session.organizationId, provider, secret || null, actor)
    return refusal === null ? landAt('single-sign-on', { said: 'provider' }) : refuse(refusal)
  },
)

function refuse(error: string): Response {
  return landAt('single-sign-on', { error })
}
