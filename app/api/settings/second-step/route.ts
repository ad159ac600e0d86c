import * as z from 'zod'
import { factorRoute } from '#lib/auth/doors/account-route.ts'
import { requireSecondStep } from '#lib/auth/factors/second-step-rule.ts'

/** POST {required}: whether everybody who has a password needs a second step. */
export const POST = factorRoute(
  { may: 'manage-organization', place: 'settings', body: z.object({ required: z.enum(['yes', 'no']) }) },
  async ({ session, actor, body }) => {
    await requireSecondStep(session.organizationId, body.required === 'yes', actor)
    return { said: 'second-step-rule' }
  },
)
