/** What the routes have in common with which people change how they sign in. */
import type { ZodType } from 'zod'
import { errorReply, redirectTo } from '#lib/http/replies.ts'
import type { UserId } from '#lib/ids.ts'
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
  person: '/people#person',
  'single-sign-on': '/settings#single-sign-on',
  directory: '/settings#directory',
} as const

export type FactorPlace = keyof typeof FACTOR_PLACES

/** Where a page has several places, each one's answers have keys of their own. */
const PREFIXES: Partial<Record<FactorPlace, string>> = {
  person: 'person-',
  'single-sign-on': 'sso_',
  directory: 'directory-',
}

type FactorOptions<Body> = { may: Permission; place: FactorPlace; body?: ZodType<Body> }

/**
 * POST for whoever `may`, in a session that has just shown who it is
 * (lib/auth/factors/fresh-session.ts): the answer of `toFactorReply`.
 */
export function factorRoute<Body = undefined>(
  { may, place, body }: FactorOptions<Body>,
  change: (call: WriteCall<Body>) => Promise<FactorEnd>,
): DeclaredRoute<'POST', 'none'> {
  return writeRoute({ may, body }, async (call) => {
    return (await refuseStale(call, place)) ?? toFactorReply(call, place, await change(call))
  })
}

/**
 * The answer to who has not just shown who they are, or null to go on. For what lets somebody in,
 * or in as more than before: a session that was stolen is not enough to stay. `person`: whom the
 * page shows again.
 */
export async function refuseStale(
  call: Pick<WriteCall<unknown>, 'session' | 'now' | 'isForm'>,
  place: FactorPlace,
  person?: UserId,
): Promise<Response | null> {
  if (await isFreshSession(call.session, call.now)) return null
  return toFactorReply({ ...call, person }, place, { error: 'confirm' })
}

/** A form leads back to its place; a script gets the key, with 409 when nothing was changed. */
export function toFactorReply(
  { isForm, person }: { isForm: boolean; person?: UserId },
  place: FactorPlace,
  end: FactorEnd,
): Response {
  const cookies = 'said' in end ? end.cookies : undefined
  if (isForm) {
    const prefix = PREFIXES[place] ?? ''
    const query = new URLSearchParams('said' in end ? { said: prefix + end.said } : { error: prefix + end.error })
    if (person !== undefined) query.set('person', person)
    return redirectTo(FACTOR_PLACES[place].replace('#', `?${query}#`), cookies)
  }
  if ('said' in end) return Response.json({ said: end.said })
  const first = end.error === 'confirm' ? 'Reload the page and type your password again first. ' : ''
  return errorReply(409, end.error, `${first}Nothing was changed.`)
}
