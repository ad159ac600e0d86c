import type { FilterOptions } from '#components/filters/filter-fields.ts'
import type { OrganizationId } from '#lib/ids.ts'
import { listFilterOptions, searchTrips } from '#lib/ledger/read/list-filter-options.ts'

/** Beyond this many, chosen trips are shown by id. */
const MOST_NAMED = 3

/** The choices of a list's filters, and the names of the chosen trips. */
export async function readFilterOptions(
  organizationId: OrganizationId,
  tripIds: string[] = [],
): Promise<FilterOptions> {
  const named = tripIds.filter((tripId) => tripId !== '').slice(0, MOST_NAMED)
  const [options, ...found] = await Promise.all([
    listFilterOptions(organizationId),
    ...named.map((tripId) => searchTrips(organizationId, tripId)),
  ])
  return { ...options, trips: found.flat().filter((trip) => named.includes(trip.tripId)) }
}
