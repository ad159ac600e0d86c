import * as z from 'zod'
import { factorRoute } from '#lib/auth/doors/account-route.ts'
import { addPasskey } from '#lib/auth/factors/passkeys.ts'
import { lineOf } from '#lib/auth/one-line.ts'

const body = z.object({
  name: lineOf(60),
  response: z.record(z.string(), z.unknown()),
})

/** POST {name, response}: the passkey that the browser has made. */
export const POST = factorRoute(
  { may: 'own-account', place: 'passkeys', body },
  async ({ session, actor, body, now }) => {
    const use = { purpose: 'register', holder: session.sessionIdHash } as const
    return (await addPasskey(session, body, use, actor, now)) ? { said: 'passkey-added' } : { error: 'passkey' }
  },
)
