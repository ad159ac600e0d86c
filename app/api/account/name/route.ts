import * as z from 'zod'
import { writeRoute } from '#lib/auth/api-route.ts'
import { oneLine } from '#lib/auth/one-line.ts'
import { renameUser } from '#lib/auth/people/users.ts'
import { redirectTo } from '#lib/http/replies.ts'

/** POST /api/account/name {name}: the own name, as colleagues see it. */
export const POST = writeRoute(
  { may: 'own-account', body: z.object({ name: oneLine }) },
  async ({ session, actor, isForm, body }) => {
    await renameUser(session.organizationId, session.userId, body.name, actor)
    return isForm ? redirectTo('/account?said=name#you') : body
  },
)
