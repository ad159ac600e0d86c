import * as z from 'zod'
import { writeRoute } from '#lib/auth/doors/api-route.ts'
import { setRhythm } from '#lib/digest/digest-settings.ts'
import { RHYTHMS } from '#lib/digest/model.ts'
import { done } from '#lib/http/outcome.ts'

const body = z.object({ rhythm: z.enum(RHYTHMS) })

/** POST /api/account/digest {rhythm}: how often one gets the own digest by mail. */
export const POST = writeRoute({ may: 'own-account', body }, async ({ session, actor, body: { rhythm }, now }) => {
  await setRhythm(session.organizationId, session.userId, rhythm, actor, now)
  return done('own-digest', { rhythm }, { said: 'saved' })
})
