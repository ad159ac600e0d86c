import type { FilterOptions } from '#components/filters/filter-fields.ts'
import type { OrganizationId } from '#lib/ids.ts'
import { listFilterOptions } from '#lib/ledger/read/list-filter-options.ts'
import { searchFilterOptions } from '#lib/ledger/read/search-filter-options.ts'

/** Beyond this many, chosen trips are shown by id. */
const MOST_NAMED = 3
/** An id may be part of others, and of names. */
const MOST_WITH_IT = 20

/** The choices of a list's filters, and the names of the chosen trips. */
export async function readFilterOptions(
  organizationId: OrganizationId,
  tripIds: string[] = [],
): Promise<FilterOptions> {
  const named = tripIds.filter((tripId) => tripId !== '').slice(0, MOST_NAMED)
  const [options, ...found] = await Promise.all([
    listFilterOptions(organizationId),
    ...named.map((tripId) => searchFilterOptions(organizationId, 'trips', `"${tripId}"`, MOST_WITH_IT)),
  ])
  return { ...options, trips: found.flat().filter((trip) => named.includes(trip.value)) }
}
