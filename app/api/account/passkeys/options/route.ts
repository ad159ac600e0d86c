import { writeRoute } from '#lib/auth/doors/api-route.ts'
import { isFreshSession } from '#lib/auth/factors/fresh-session.ts'
import { hasPasskeys, toRegistrationOptions } from '#lib/auth/factors/passkeys.ts'
import { errorReply } from '#lib/http/replies.ts'

/** What the browser needs to make a passkey for the person who is signed in. */
export const POST = writeRoute({ may: 'own-account' }, async ({ session, actor, now }) => {
  if (!hasPasskeys() || !(await isFreshSession(session, now)))
    return errorReply(409, 'confirm', 'Confirm that it is you first.')
  const use = { purpose: 'register', holder: session.sessionIdHash } as const
  const options = await toRegistrationOptions(session, use, session.sessionIdHash, now)
  return options ?? errorReply(409, 'too-many', `There are too many passkeys of ${actor.name}.`)
})
