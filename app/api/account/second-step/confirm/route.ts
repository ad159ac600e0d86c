import * as z from 'zod'
import { FACTOR_PLACES, toFactorOutcome } from '#lib/auth/doors/account-route.ts'
import { writeRoute } from '#lib/auth/doors/api-route.ts'
import { refreshSession } from '#lib/auth/factors/fresh-session.ts'
import { attemptSignIn } from '#lib/auth/sign-in/sign-in-attempt.ts'

const body = z.object({
  password: z.string(),
  place: z.enum(FACTOR_PLACES).default('second-step'),
  person: z.uuid().optional(),
})

/** POST {password, place, person}: the password again, counted like one that signs in. */
export const POST = writeRoute({ may: 'own-account', body }, async ({ request, session, body, now }) => {
  const end = await attemptSignIn(request, { email: session.email, password: body.password }, now)
  if (end.kind !== 'right')
    return toFactorOutcome(body.place, { error: end.kind === 'wrong' ? 'password' : 'wait' }, body.person)
  await refreshSession(session, now)
  return toFactorOutcome(body.place, { said: 'confirmed' }, body.person)
})
