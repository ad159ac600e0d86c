import * as z from 'zod'
import { endOtherSessions, endOwnSession } from '#lib/auth/account/own-sessions.ts'
import { writeRoute } from '#lib/auth/doors/api-route.ts'
import { landAt } from '#lib/http/outcome.ts'

const body = z.object({ end: z.union([z.literal('others'), z.string().regex(/^[0-9a-f]{64}$/)]) })

/** POST /api/account/sessions {end}: signs the person out elsewhere, in one place or in all. */
export const POST = writeRoute({ may: 'own-account', body }, async ({ session, actor, body: { end }, now }) => {
  if (end === 'others') await endOtherSessions(session, actor, now)
  else if (!(await endOwnSession(session, end, actor, now))) return landAt('own-sessions', { error: 'gone' })
  return landAt('own-sessions', { said: 'ended' })
})
