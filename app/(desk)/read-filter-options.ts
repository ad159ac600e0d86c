import type { FilterOptions } from '#components/filters/filter-fields.ts'
import type { AppSession } from '#lib/auth/model.ts'
import { listFilterOptions } from '#lib/ledger/read/choices/list-filter-options.ts'
import { searchFilterOptions } from '#lib/ledger/read/choices/search-filter-options.ts'

/** Beyond this many, chosen trips are shown by id. */
const MOST_NAMED = 3
/** An id may be part of others, and of names. */
const MOST_WITH_IT = 20

/** The choices of a list's filters, and the names of the chosen trips. */
export async function readFilterOptions(session: AppSession, tripIds: string[] = []): Promise<FilterOptions> {
  const named = tripIds.filter((tripId) => tripId !== '').slice(0, MOST_NAMED)
  const [options, ...found] = await Promise.all([
    listFilterOptions(session),
    ...named.map((tripId) => searchFilterOptions(session, 'trips', `"${tripId}"`, MOST_WITH_IT)),
  ])
  return { ...options, trips: found.flat().filter((trip) => named.includes(trip.value)) }
}
