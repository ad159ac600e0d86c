import { writeRoute } from '#lib/auth/doors/api-route.ts'
import { countTry } from '#lib/auth/limits/throttle.ts'
import { askForDigest } from '#lib/digest/digest-settings.ts'
import { settings } from '#lib/env.ts'
import { done, refused } from '#lib/http/outcome.ts'
import { toWaitText } from '#lib/http/wait-reply.ts'

/** POST /api/account/digest/now: one's own digest by mail, to try it. */
export const POST = writeRoute({ may: 'own-account' }, async ({ session, now }) => {
  if (settings().mail === null) return refused('own-digest', 'no-mail', 'This installation sends no mail.')
  const seconds = Math.ceil(await countTry([{ kind: 'digest', key: session.userId }]))
  if (seconds > 0)
    return refused('own-digest', 'wait', toWaitText(seconds, 'digests'), { error: 'wait', query: `seconds=${seconds}` })
  await askForDigest(session.organizationId, session.userId, now)
  return done('own-digest', {}, { said: 'asked' })
})
