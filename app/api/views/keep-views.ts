import * as z from 'zod'
import { toViewedSearch } from '#components/query/saved-address.ts'
import type { WriteCall } from '#lib/auth/doors/api-route.ts'
import { lineOf } from '#lib/auth/one-line.ts'
import { done, type Outcome, refused } from '#lib/http/outcome.ts'
import type { OrganizationId, UserId } from '#lib/ids.ts'
import {
  addView,
  type Keeper,
  type Kept,
  removeView,
  renameView,
  type SeenView,
  saveView,
} from '#lib/views/keep-view.ts'
import { VIEWED_LISTS } from '#lib/views/list-views.ts'

/** The list, and the search part of the address that the form stood at. */
export const ofList = { list: z.enum(VIEWED_LISTS), search: z.string().max(16_000) }

const name = lineOf(80)
const seen = { view: z.uuid(), version: z.coerce.number().int().min(1).max(999_999_999) }

/** What can be done with views of one's own and of the team. */
export const keepings = [
  z.object({ action: z.literal('add'), ...ofList, name }),
  z.object({ action: z.literal('save'), ...ofList, ...seen }),
  z.object({ action: z.literal('rename'), ...ofList, ...seen, name }),
  z.object({ action: z.literal('remove'), ...ofList, ...seen }),
] as const
const keeping = z.discriminatedUnion('action', keepings)
type Keeping = z.infer<typeof keeping>

const REFUSALS: Record<Exclude<Kept['kind'], 'kept'>, string> = {
  changed: 'Somebody saved this view after you opened it. Nothing was changed.',
  gone: 'There is no such view any more.',
  taken: 'There is a view of this name already.',
  full: 'There are as many views of this list as there may be.',
}

/** Does it, and leads a form back to the list, as it was shown. `ownerId`: null for the team's. */
export async function keepViews(
  { session, actor, now }: Pick<WriteCall, 'session' | 'actor' | 'now'>,
  ownerId: UserId | null,
  wish: Keeping,
): Promise<Outcome> {
  const { list, search } = wish
  const keeper = { ownerId, name: session.name, actor, now }
  const kept = await keep(session.organizationId, keeper, wish)
  const before = 'view' in wish ? { id: wish.view, version: wish.version } : null
  if (kept.kind !== 'kept') {
    const query = toViewedSearch(list, search, kept.kind === 'gone' ? null : before)
    return refused(['list', list], `view-${kept.kind}`, REFUSALS[kept.kind], { error: `view-${kept.kind}`, query })
  }
  const after = wish.action === 'remove' ? null : kept.view
  return done(
    ['list', list],
    { view: after },
    { said: `view-${wish.action}`, query: toViewedSearch(list, search, after) },
  )
}

function keep(organizationId: OrganizationId, keeper: Keeper, wish: Keeping): Promise<Kept> {
  const { list } = wish
  const search = toViewedSearch(list, wish.search, null)
  if (wish.action === 'add') return addView(organizationId, keeper, { list, name: wish.name, search })
  const view: SeenView = { id: wish.view, version: wish.version }
  if (wish.action === 'save') return saveView(organizationId, keeper, view, search)
  if (wish.action === 'rename') return renameView(organizationId, keeper, view, wish.name)
  return removeView(organizationId, keeper, view)
}
