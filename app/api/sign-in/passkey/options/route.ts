import { publicWriteRoute } from '#lib/auth/doors/api-route.ts'
import { offerPasskeySignIn } from '#lib/auth/sign-in/passkey-sign-in.ts'
import { redirectTo } from '#lib/http/replies.ts'

/** A challenge for an authenticator to sign. */
export const POST = publicWriteRoute(
  { because: 'signs people in', origin: 'ours', refusal: () => redirectTo('/sign-in?error=origin') },
  ({ request, now }) => offerPasskeySignIn(request, now),
)
