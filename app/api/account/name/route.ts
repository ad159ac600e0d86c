import * as z from 'zod'
import { writeRoute } from '#lib/auth/doors/api-route.ts'
import { oneLine } from '#lib/auth/one-line.ts'
import { renameUser } from '#lib/auth/people/users.ts'
import { done } from '#lib/http/outcome.ts'

/** POST /api/account/name {name}: the own name, as colleagues see it. */
export const POST = writeRoute(
  { may: 'own-account', body: z.object({ name: oneLine }) },
  async ({ session, actor, body }) => {
    await renameUser(session.organizationId, session.userId, body.name, actor)
    return done('you', body, { said: 'name' })
  },
)
