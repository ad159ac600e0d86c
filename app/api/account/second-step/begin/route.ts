import { factorRoute } from '#lib/auth/doors/account-route.ts'
import { beginEnrolment } from '#lib/auth/factors/authenticator.ts'

/** Makes a secret for an authenticator app; it counts after its first right code. */
export const POST = factorRoute({ may: 'own-account', place: 'second-step' }, async ({ session, now }) =>
  (await beginEnrolment(session, now)) ? { said: 'begun' } : { error: 'already-on' },
)
