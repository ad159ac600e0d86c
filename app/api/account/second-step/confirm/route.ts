import * as z from 'zod'
import { FACTOR_PLACES, type FactorPlace, toFactorReply } from '#lib/auth/account-route.ts'
import { writeRoute } from '#lib/auth/api-route.ts'
import { refreshSession } from '#lib/auth/factors/fresh-session.ts'
import { attemptSignIn } from '#lib/auth/sign-in/sign-in-attempt.ts'

const PLACES = Object.keys(FACTOR_PLACES) as FactorPlace[]

const body = z.object({
  password: z.string(),
  place: z.enum(PLACES).default('second-step'),
  person: z.uuid().optional(),
})

/** POST {password, place, person}: the password again, counted like one that signs in. */
export const POST = writeRoute({ may: 'own-account', body }, async ({ request, session, isForm, body, now }) => {
  const back = { isForm, person: body.person }
  const end = await attemptSignIn(request, { email: session.email, password: body.password }, now)
  if (end.kind !== 'right')
    return toFactorReply(back, body.place, { error: end.kind === 'wrong' ? 'password' : 'wait' })
  await refreshSession(session, now)
  return toFactorReply(back, body.place, { said: 'confirmed' })
})
