import * as z from 'zod'
import { factorRoute } from '#lib/auth/doors/account-route.ts'
import { resetSecondStep } from '#lib/auth/sign-in/reset-second-step.ts'
import { isUuid } from '#lib/ids.ts'

/** POST {user}: takes somebody's second step and passkeys away and signs them out. */
export const POST = factorRoute(
  { may: 'manage-people', place: 'people', body: z.object({ user: z.string().refine(isUuid) }) },
  async ({ session, actor, body, now }) => {
    await resetSecondStep({ organizationId: session.organizationId, userId: body.user }, actor, now)
    return { said: 'second-step-reset' }
  },
)
