import { ownFormats, setOwnFormats } from '#lib/auth/account/own-formats.ts'
import { writeRoute } from '#lib/auth/doors/api-route.ts'
import { done } from '#lib/http/outcome.ts'

/** POST /api/account/formats {numberFormat, dateFormat, timeZone}: how one reads pages oneself. */
export const POST = writeRoute({ may: 'own-account', body: ownFormats }, async ({ session, actor, body }) => {
  await setOwnFormats(session.organizationId, session.userId, body, actor)
  return done('own-formats', body, { said: 'saved' })
})
