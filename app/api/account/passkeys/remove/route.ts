import * as z from 'zod'
import { factorRoute } from '#lib/auth/doors/account-route.ts'
import { removePasskey } from '#lib/auth/factors/passkeys.ts'

/** POST {id}: nobody signs in with that passkey any more. */
export const POST = factorRoute(
  { may: 'own-account', place: 'passkeys', body: z.object({ id: z.string().regex(/^[\w-]{1,2000}$/) }) },
  async ({ session, actor, body }) => {
    await removePasskey(session, body.id, actor)
    return { said: 'passkey-removed' }
  },
)
