import { readRoute } from '#lib/auth/doors/api-route.ts'
import { SEARCHED_FILTERS, searchFilterOptions } from '#lib/ledger/read/choices/search-filter-options.ts'

export const dynamic = 'force-dynamic'

const MOST_OF_ONE = 20
/** Beside others, each has room for a few. */
const MOST_OF_EACH = 4

/**
 * GET /api/filter-options?filter=trips&filter=vendors&q=: choices of these filters that have the
 * words of `q`, by filter: up to 20 of one, up to 4 of each of several.
 */
export const GET = readRoute({ may: 'read', kind: 'search' }, async ({ request, session }) => {
  const { searchParams } = new URL(request.url)
  const asked = new Set(searchParams.getAll('filter'))
  const filters = SEARCHED_FILTERS.filter((filter) => asked.has(filter))
  const most = filters.length === 1 ? MOST_OF_ONE : MOST_OF_EACH
  const found = await Promise.all(
    filters.map(async (filter) => [
      filter,
      await searchFilterOptions(session, filter, searchParams.get('q') ?? '', most),
    ]),
  )
  return Object.fromEntries(found)
})
