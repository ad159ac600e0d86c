import * as z from 'zod'
import { writeRoute } from '#lib/auth/api-route.ts'
import { revokeDirectoryToken } from '#lib/auth/directory-token.ts'
import { done } from '#lib/http/outcome.ts'

/** POST /api/settings/directory/token/revoke {token}: ends a token at once. */
export const POST = writeRoute(
  { may: 'manage-organization', body: z.object({ token: z.string().max(64) }) },
  async ({ session, actor, body, now }) => {
    await revokeDirectoryToken(session.organizationId, body.token, actor, now)
    return done('directory', {}, { said: 'token-revoked' })
  },
)
