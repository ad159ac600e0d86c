import { readRoute } from '#lib/auth/doors/api-route.ts'
import { findPlaces } from './find-places.ts'

export const dynamic = 'force-dynamic'

/** GET /api/palette?q=: where the palette leads with what is typed; the person's views at first. */
export const GET = readRoute({ may: 'read', kind: 'search' }, ({ request, session }) =>
  findPlaces(session, new URL(request.url).searchParams.get('q') ?? ''),
)
