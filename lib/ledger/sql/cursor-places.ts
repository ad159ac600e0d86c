import { POOL_CONNECTIONS } from '#lib/db/pool.ts'
import { OperationalError } from '#lib/errors.ts'
import type { OrganizationId, UserId } from '#lib/ids.ts'
import { processWide } from '#lib/process-wide.ts'

/** How many cursors may be open at a time, per user, per organization and in all. */
export type PlaceLimits = { perUser: number; perOrganization: number; perProcess: number }

/** Each open cursor holds a connection: half of the pool is kept for the pages. */
export const PLACE_LIMITS: PlaceLimits = { perUser: 2, perOrganization: 3, perProcess: POOL_CONNECTIONS / 2 }

/** A file takes seconds, so a refused user may soon try again. */
const RETRY_AFTER_MS = 10_000

type Place = { organizationId: OrganizationId; userId: UserId }

/**
 * Takes one of this process's places for an open cursor and returns what frees it.
 * @throws OperationalError `export-busy` when the user, the organization or the process has none
 * left.
 */
export function takePlace(organizationId: OrganizationId, userId: UserId, limits: PlaceLimits): () => void {
  const taken = processWide('tieoutCursorPlaces', () => new Set<Place>())
  const ofOrganization = [...taken].filter((place) => place.organizationId === organizationId)
  const ofUser = ofOrganization.filter((place) => place.userId === userId)
  if (
    ofUser.length >= limits.perUser ||
    ofOrganization.length >= limits.perOrganization ||
    taken.size >= limits.perProcess
  ) {
    const counts = `${ofUser.length} of the user, ${ofOrganization.length} of the organization, ${taken.size} in all`
    throw new OperationalError('export-busy', `cursors are open: ${counts}`, { retryAfterMs: RETRY_AFTER_MS })
  }
  const place = { organizationId, userId }
  taken.add(place)
  return () => void taken.delete(place)
}
