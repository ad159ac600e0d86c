import { publicWriteRoute } from '#lib/auth/doors/api-route.ts'
import { signInWithPasskey } from '#lib/auth/sign-in/passkey-sign-in.ts'
import { redirectTo } from '#lib/http/replies.ts'

/** What an authenticator signed. */
export const POST = publicWriteRoute(
  { because: 'signs people in', origin: 'ours', refusal: () => redirectTo('/sign-in?error=origin') },
  ({ request, now }) => signInWithPasskey(request, now),
)
