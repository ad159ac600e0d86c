import * as z from 'zod'
import { IDLE_MINUTES, SESSION_DAYS, setSessionLimits } from '#lib/auth/account/session-limits.ts'
import { writeRoute } from '#lib/auth/doors/api-route.ts'
import { landAt } from '#lib/http/outcome.ts'

/** A form sends digits, a script a number. */
const oneOf = (choices: readonly number[]) => z.coerce.number().refine((value) => choices.includes(value))

const body = z.object({ idleMinutes: oneOf(IDLE_MINUTES), sessionDays: oneOf(SESSION_DAYS) })

/** POST /api/settings/sessions {idleMinutes, sessionDays}: when sessions end by themselves. */
export const POST = writeRoute({ may: 'manage-organization', body }, async ({ session, actor, body, now }) => {
  await setSessionLimits(session.organizationId, body, actor, now)
  return landAt('session-limits', { said: 'limits' })
})
