import { publicWriteRoute } from '#lib/auth/doors/api-route.ts'
import { signOut } from '#lib/auth/sign-in/sign-in.ts'
import { redirectTo } from '#lib/http/replies.ts'

/** The sign-out form; one from another site changes nothing. */
export const POST = publicWriteRoute(
  { because: 'a session that has already ended is signed out too', origin: 'ours', refusal: () => redirectTo('/') },
  ({ request, now }) => signOut(request, now),
)
