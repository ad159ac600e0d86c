import * as z from 'zod'
import { toViewedSearch } from '#components/query/saved-address.ts'
import { writeRoute } from '#lib/auth/doors/api-route.ts'
import { done, refused } from '#lib/http/outcome.ts'
import { setDefaultView } from '#lib/views/default-view.ts'
import { keepings, keepViews, ofList } from './keep-views.ts'

const body = z.discriminatedUnion('action', [
  ...keepings,
  z.object({ action: z.literal('open-with'), ...ofList, view: z.uuid(), version: z.coerce.number() }),
  z.object({ action: z.literal('open-plain'), ...ofList }),
])

/**
 * POST /api/views {action, list, search, …}: the person's own views of a list, and with which view,
 * their own or the team's, the list opens for them. 409: see `Kept` of lib/views/keep-view.ts.
 */
export const POST = writeRoute({ may: 'keep-views', body }, async (call) => {
  const { session, body: wish } = call
  if (wish.action !== 'open-with' && wish.action !== 'open-plain') return keepViews(call, session.userId, wish)
  const { list, action } = wish
  const view = action === 'open-with' ? { id: wish.view, version: wish.version } : null
  const query = toViewedSearch(list, wish.search, view)
  if (!(await setDefaultView(session.organizationId, session.userId, list, view?.id ?? null)))
    return refused(['list', list], 'view-gone', 'There is no such view any more.', { error: 'view-gone', query })
  return done(['list', list], { view }, { said: `view-${action}`, query })
})
