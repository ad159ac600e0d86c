import { POOL_CONNECTIONS } from '#lib/db/pool.ts'
import type { Sql } from '#lib/db/tenant.ts'
import { OperationalError } from '#lib/errors.ts'
import type { OrganizationId, UserId } from '#lib/ids.ts'
import { processWide } from '#lib/process-wide.ts'

/**
 * How many cursors may be open at a time: per user and per organization in all web processes
 * together, and in each process.
 */
export type PlaceLimits = { perUser: number; perOrganization: number; perProcess: number }

/** Each open cursor holds a connection: half of the pool is kept for the pages. */
export const PLACE_LIMITS: PlaceLimits = { perUser: 2, perOrganization: 3, perProcess: POOL_CONNECTIONS / 2 }

/** A file takes seconds, so a refused user may soon try again. */
const RETRY_AFTER_MS = 10_000

type Place = { organizationId: OrganizationId; userId: UserId }

/**
 * Takes one of this process's places for an open cursor and returns what frees it: who has too many
 * here is refused before a connection is taken.
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
    throw toBusy(counts)
  }
  const place = { organizationId, userId }
  taken.add(place)
  return () => void taken.delete(place)
}

/**
 * Takes a place among those of all web processes, for as long as the transaction lasts. It is an
 * advisory lock, so it goes with the transaction however that ends, also by a process that dies.
 * @throws OperationalError `export-busy` when the user or the organization has none left.
 */
export async function takeSharedPlace(
  sql: Sql,
  organizationId: OrganizationId,
  userId: UserId,
  { perUser, perOrganization }: PlaceLimits,
): Promise<void> {
  const [taken] = await sql<{ ofUser: boolean; ofOrganization: boolean }>(
    `select ${firstFree('$1', perUser)} as "ofUser", ${firstFree('$2', perOrganization)} as "ofOrganization"`,
    [`file of ${organizationId} ${userId}, place `, `file of ${organizationId}, place `],
  )
  if (!(taken?.ofUser && taken.ofOrganization))
    throw toBusy(`other web servers have all places of the ${taken?.ofUser ? 'organization' : 'user'}`)
}

/** Locks the first of the numbered places that is free; CASE asks for no other after it. */
function firstFree(name: string, places: number): string {
  const each = Array.from(
    { length: places },
    (_, at) => `pg_try_advisory_xact_lock(hashtextextended(${name} || ${at}, 0))`,
  )
  return `case ${each.map((lock) => `when ${lock} then true`).join(' ')} else false end`
}

function toBusy(counts: string): OperationalError {
  return new OperationalError('export-busy', `cursors are open: ${counts}`, { retryAfterMs: RETRY_AFTER_MS })
}
