import { readRoute } from '#lib/auth/doors/api-route.ts'
import { searchTrips } from '#lib/ledger/read/list-filter-options.ts'

export const dynamic = 'force-dynamic'

/** GET /api/trips?q=: up to 20 trips whose id or name contains the text, for the trip filter. */
export const GET = readRoute({ may: 'read', kind: 'search' }, async ({ request, session }) =>
  searchTrips(session.organizationId, new URL(request.url).searchParams.get('q') ?? ''),
)
