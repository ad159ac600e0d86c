import * as z from 'zod'
import { writeRoute } from '#lib/auth/doors/api-route.ts'
import { done } from '#lib/http/outcome.ts'
import { setFourEyes } from '#lib/ledger/close/four-eyes.ts'

/** POST /api/settings/sign-off {fourEyes: 'on' or nothing}: whether two people have to sign. */
export const POST = writeRoute(
  { may: 'manage-organization', body: z.object({ fourEyes: z.literal('on').optional() }) },
  async ({ session, actor, body }) => {
    await setFourEyes(session.organizationId, body.fourEyes === 'on', actor)
    return done('signing', body, { said: 'saved' })
  },
)
