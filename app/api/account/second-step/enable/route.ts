import * as z from 'zod'
import { factorRoute } from '#lib/auth/doors/account-route.ts'
import { confirmEnrolment } from '#lib/auth/factors/authenticator.ts'
import { toRecoveryCookie } from '#lib/auth/sign-in/recovery-cookie.ts'

/** POST {code}: the first right code turns the second step on. */
export const POST = factorRoute(
  { may: 'own-account', place: 'second-step', body: z.object({ code: z.string().max(60) }) },
  async ({ session, actor, body, now }) => {
    const codes = await confirmEnrolment(session, body.code, actor, now)
    return codes === null ? { error: 'code' } : { said: 'second-step-on', cookies: [toRecoveryCookie(session, codes)] }
  },
)
