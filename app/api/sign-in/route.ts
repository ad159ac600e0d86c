import { publicWriteRoute } from '#lib/auth/doors/api-route.ts'
import { signIn } from '#lib/auth/sign-in/sign-in.ts'
import { redirectTo } from '#lib/http/replies.ts'

/** The sign-in form. Posted from another address, it is shown again with the reason. */
export const POST = publicWriteRoute(
  { because: 'signs people in', origin: 'ours', kind: 'sign-in', refusal: () => redirectTo('/sign-in?error=origin') },
  ({ request, now }) => signIn(request, now),
)
