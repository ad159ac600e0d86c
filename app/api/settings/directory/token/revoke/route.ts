import * as z from 'zod'
import { revokeDirectoryToken } from '#lib/auth/directory-token.ts'
import { writeRoute } from '#lib/auth/doors/api-route.ts'
import { done } from '#lib/http/outcome.ts'

/** POST /api/settings/directory/token/revoke {token}: ends a token at once. */
export const POST = writeRoute(
  { may: 'manage-organization', body: z.object({ token: z.string().max(64) }) },
  async ({ session, actor, body, now }) => {
    await revokeDirectoryToken(session.organizationId, body.token, actor, now)
    return done('directory', {}, { said: 'token-revoked' })
  },
)
