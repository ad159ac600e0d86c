import { factorRoute } from '#lib/auth/doors/account-route.ts'
import { disableSecondStep } from '#lib/auth/factors/authenticator.ts'
import { toRecoveryCookie } from '#lib/auth/sign-in/recovery-cookie.ts'

/** Takes the own second step and its recovery codes away. */
export const POST = factorRoute({ may: 'own-account', place: 'second-step' }, async ({ session, actor }) =>
  (await disableSecondStep(session, actor))
    ? { said: 'second-step-off', cookies: [toRecoveryCookie(session, [])] }
    : { error: 'off' },
)
