import * as z from 'zod'
import { endOtherSessions, endOwnSession } from '#lib/auth/account/own-sessions.ts'
import { writeRoute } from '#lib/auth/api-route.ts'
import { redirectTo } from '#lib/http/replies.ts'

const body = z.object({ end: z.union([z.literal('others'), z.string().regex(/^[0-9a-f]{64}$/)]) })

/** POST /api/account/sessions {end}: signs the person out elsewhere, in one place or in all. */
export const POST = writeRoute({ may: 'own-account', body }, async ({ session, actor, body: { end }, now }) => {
  if (end === 'others') await endOtherSessions(session, actor, now)
  else if (!(await endOwnSession(session, end, actor, now))) return redirectTo('/account?error=sessions-gone#sessions')
  return redirectTo('/account?said=sessions-ended#sessions')
})
