/** What the routes have in common with which people change how they sign in. */
import type { ZodType } from 'zod'
import { done, type Landing, type Outcome, refused } from '#lib/http/outcome.ts'
import type { UserId } from '#lib/ids.ts'
import { isFreshSession } from '../factors/fresh-session.ts'
import type { Permission } from '../permissions.ts'
import { type DeclaredRoute, type WriteCall, writeRoute } from './api-route.ts'

/** How it ended: a key of the words in components/account/account-words.ts, and cookies to set. */
export type FactorEnd = { said: string; cookies?: string[] } | { error: string }

/** Where the forms are that ask for the password again, and where their answers are shown. */
export const FACTOR_PLACES = [
  'second-step',
  'passkeys',
  'people',
  'settings',
  'person',
  'single-sign-on',
  'directory',
] as const satisfies Landing[]

export type FactorPlace = (typeof FACTOR_PLACES)[number]

type FactorOptions<Body> = { may: Permission; place: FactorPlace; body?: ZodType<Body> }

/** As `freshRoute`, with the answer of `toFactorOutcome`. */
export function factorRoute<Body = undefined>(
  options: FactorOptions<Body>,
  change: (call: WriteCall<Body>) => Promise<FactorEnd>,
): DeclaredRoute<'POST', 'none'> {
  return freshRoute(options, async (call) => toFactorOutcome(options.place, await change(call)))
}

/**
 * POST for whoever `may`, in a session that has just shown who it is
 * (lib/auth/factors/fresh-session.ts): others are asked to at their place.
 */
export function freshRoute<Body = undefined>(
  { may, place, body }: FactorOptions<Body>,
  handler: (call: WriteCall<Body>) => Promise<unknown>,
): DeclaredRoute<'POST', 'none'> {
  return writeRoute({ may, body }, async (call) => (await refuseStale(call, place)) ?? handler(call))
}

/**
 * The answer to who has not just shown who they are, or null to go on. For what lets somebody in,
 * or in as more than before: a session that was stolen is not enough to stay. `person`: whom the
 * page shows again.
 */
export async function refuseStale(
  call: Pick<WriteCall<unknown>, 'session' | 'now'>,
  place: FactorPlace,
  person?: UserId,
): Promise<Outcome | null> {
  if (await isFreshSession(call.session, call.now)) return null
  return toFactorOutcome(place, { error: 'confirm' }, person)
}

/** A form leads back to its place; a script gets the key, with 409 when nothing was changed. */
export function toFactorOutcome(place: FactorPlace, end: FactorEnd, person?: UserId): Outcome {
  const query = person && `person=${person}`
  if ('said' in end) return done(place, { said: end.said }, { ...end, query })
  const first = end.error === 'confirm' ? 'Reload the page and type your password again first. ' : ''
  return refused(place, end.error, `${first}Nothing was changed.`, { ...end, query })
}
