import * as z from 'zod'
import { changePassword } from '#lib/auth/account/change-password.ts'
import { writeRoute } from '#lib/auth/doors/api-route.ts'
import { UserChangedError } from '#lib/auth/sessions.ts'
import { makeSessionCookie } from '#lib/auth/sign-in/sign-in.ts'
import { landAt } from '#lib/http/outcome.ts'

const body = z.object({ old: z.string(), chosen: z.string() })

/** POST /api/account/password {old, chosen}: the person's own password; back to the page. */
export const POST = writeRoute({ may: 'own-account', body }, async (call) => {
  try {
    const end = await changePassword(call, call.body)
    if (end.kind === 'changed')
      return landAt('password', { said: 'changed', cookies: [await makeSessionCookie(end.key)] })
    if (end.kind === 'refused') return landAt('password', { error: end.problem })
    if (end.kind === 'wait') return landAt('password', { error: 'wait', query: `seconds=${end.seconds}` })
    return landAt('password', { error: 'wrong' })
  } catch (thrown) {
    // somebody else took the account away, or gave it another password, at this moment
    if (thrown instanceof UserChangedError) return landAt('sign-in')
    throw thrown
  }
})
