/** What the routes have in common with which people change how they sign in. */
import type { ZodType } from 'zod'
import { errorReply, redirectTo } from '#lib/http/replies.ts'
import { type DeclaredRoute, type WriteCall, writeRoute } from './api-route.ts'
import { isFreshSession } from './factors/fresh-session.ts'
import type { Permission } from './permissions.ts'

/** How it ended: a key of the words in components/account/account-words.ts, and cookies to set. */
export type FactorEnd = { said: string; cookies?: string[] } | { error: string }

/** Where the forms are, and where their answers are shown. */
export const FACTOR_PLACES = {
  'second-step': '/account#second-step',
  passkeys: '/account#passkeys',
  people: '/people#second-steps',
  settings: '/settings#second-step',
} as const

type FactorOptions<Body> = { may: Permission; place: keyof typeof FACTOR_PLACES; body?: ZodType<Body> }

/**
 * POST for whoever `may`, in a session that has just shown who it is
 * (lib/auth/factors/fresh-session.ts): the answer of `toFactorReply`.
 */
export function factorRoute<Body = undefined>(
  { may, place, body }: FactorOptions<Body>,
  change: (call: WriteCall<Body>) => Promise<FactorEnd>,
): DeclaredRoute<'POST', 'none'> {
  return writeRoute({ may, body }, async (call) => {
    const isFresh = await isFreshSession(call.session, call.now)
    return toFactorReply(call, place, isFresh ? await change(call) : { error: 'confirm' })
  })
}

/** A form leads back to its place; a script gets the key, with 409 when nothing was changed. */
export function toFactorReply(
  { isForm }: { isForm: boolean },
  place: keyof typeof FACTOR_PLACES,
  end: FactorEnd,
): Response {
  const cookies = 'said' in end ? end.cookies : undefined
  if (isForm) {
    const key: Record<string, string> = 'said' in end ? { said: end.said } : { error: end.error }
    return redirectTo(FACTOR_PLACES[place].replace('#', `?${new URLSearchParams(key)}#`), cookies)
  }
  return 'said' in end ? Response.json({ said: end.said }) : errorReply(409, end.error, 'Nothing was changed.')
}
