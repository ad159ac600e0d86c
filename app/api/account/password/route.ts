import * as z from 'zod'
import { changePassword } from '#lib/auth/account/change-password.ts'
import { writeRoute } from '#lib/auth/api-route.ts'
import { UserChangedError } from '#lib/auth/sessions.ts'
import { makeSessionCookie } from '#lib/auth/sign-in/sign-in.ts'
import { redirectTo } from '#lib/http/replies.ts'

const body = z.object({ old: z.string(), chosen: z.string() })

/** POST /api/account/password {old, chosen}: the person's own password; back to the page. */
export const POST = writeRoute({ may: 'own-account', body }, async (call) => {
  try {
    const end = await changePassword(call, call.body)
    if (end.kind === 'changed') return back('said=password-changed', [await makeSessionCookie(end.key)])
    if (end.kind === 'refused') return back(`error=password-${end.problem}`)
    return back(end.kind === 'wait' ? `error=password-wait&seconds=${end.seconds}` : 'error=password-wrong')
  } catch (thrown) {
    // somebody else took the account away, or gave it another password, at this moment
    if (thrown instanceof UserChangedError) return redirectTo('/sign-in')
    throw thrown
  }
})

function back(query: string, cookies: string[] = []): Response {
  return redirectTo(`/account?${query}#password`, cookies)
}
