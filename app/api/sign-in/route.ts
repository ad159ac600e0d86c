import { publicWriteRoute } from '#lib/auth/api-route.ts'
import { signIn } from '#lib/auth/sign-in.ts'
import { redirectTo } from '#lib/http/replies.ts'

/** The sign-in form. One that was opened at another address is shown again, with the reason. */
export const POST = publicWriteRoute(
  { because: 'signs people in', origin: 'ours', refusal: () => redirectTo('/sign-in?error=origin') },
  ({ request, now }) => signIn(request, now),
)
