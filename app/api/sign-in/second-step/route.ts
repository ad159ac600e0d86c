import { publicWriteRoute } from '#lib/auth/doors/api-route.ts'
import { takeSecondStep } from '#lib/auth/sign-in/second-step.ts'
import { redirectTo } from '#lib/http/replies.ts'

/** The form for the code that follows the right password. */
export const POST = publicWriteRoute(
  { because: 'ends a sign-in that waits for its second step', origin: 'ours', refusal: refuse },
  ({ request, now }) => takeSecondStep(request, now),
)

function refuse(): Response {
  return redirectTo('/sign-in?error=origin')
}
