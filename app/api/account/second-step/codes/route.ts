import { factorRoute } from '#lib/auth/doors/account-route.ts'
import { renewRecoveryCodes } from '#lib/auth/factors/authenticator.ts'
import { toRecoveryCookie } from '#lib/auth/sign-in/recovery-cookie.ts'

/** New recovery codes in place of the earlier ones. */
export const POST = factorRoute({ may: 'own-account', place: 'second-step' }, async ({ session, actor, now }) => {
  const codes = await renewRecoveryCodes(session, actor, now)
  return codes === null ? { error: 'off' } : { said: 'codes-made', cookies: [toRecoveryCookie(session, codes)] }
})
