import { publicWriteRoute } from '#lib/auth/doors/api-route.ts'
import { startSso } from '#lib/auth/sso/sso-start.ts'
import { redirectTo } from '#lib/http/replies.ts'

/** POST /api/sso {domain, next}: leads to the identity provider of the domain's organization. */
export const POST = publicWriteRoute(
  { because: 'leads people to sign in', origin: 'ours', refusal: () => redirectTo('/sign-in?error=origin') },
  ({ request, now }) => startSso(request, now),
)
