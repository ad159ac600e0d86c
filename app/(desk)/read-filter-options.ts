import type { FilterOptions } from '#components/filters/filter-fields.ts'
import type { OrganizationId } from '#lib/ids.ts'
import { listFilterOptions, searchTrips } from '#lib/ledger/read/list-filter-options.ts'

/** More chosen trips than this are shown by their ids. */
const MOST_NAMED = 3

/** What a list's filters can be set to, and the names of the trips that they are set to. */
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
