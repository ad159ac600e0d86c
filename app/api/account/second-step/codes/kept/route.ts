import { toFactorOutcome } from '#lib/auth/doors/account-route.ts'
import { writeRoute } from '#lib/auth/doors/api-route.ts'
import { toRecoveryCookie } from '#lib/auth/sign-in/recovery-cookie.ts'

/** The person has kept the new recovery codes: they are not shown again. */
export const POST = writeRoute({ may: 'own-account' }, async ({ session }) =>
  toFactorOutcome('second-step', { said: 'codes-kept', cookies: [toRecoveryCookie(session, [])] }),
)
