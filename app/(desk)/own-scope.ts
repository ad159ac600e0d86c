import { cookies } from 'next/headers'
import { redirect } from 'next/navigation'
import { LISTS } from '#components/query/lists.ts'
import { toSavedAddress } from '#components/query/saved-address.ts'
import { findOwn, readKept, SCOPE_COOKIE, toSearch } from '#components/scope/scope.ts'
import type { AppSession } from '#lib/auth/model.ts'
import { dayOf } from '#lib/reconcile/day.ts'
import { defaultPeriod } from '#lib/reconcile/period.ts'
import { listDefaultViews } from '#lib/views/list-views.ts'

/** The scope that the person chose last at this browser; this quarter before there is one. */
export async function readOwnScope({ userId }: AppSession, now: number): Promise<string> {
  const kept = readKept((await cookies()).get(SCOPE_COOKIE)?.value, userId)
  return kept ?? `period=${defaultPeriod(dayOf(now)).text}`
}

/** The addresses with which the person has chosen to open lists, by the lists' own. */
export async function readStarts({ organizationId, userId }: AppSession): Promise<Record<string, string>> {
  const views = await listDefaultViews(organizationId, userId)
  return Object.fromEntries(views.map((view) => [`/${view.list}`, toSavedAddress(view.list, view)]))
}

/**
 * An address that says nothing leads to one that says what the person keeps, or to the view with
 * which they open that list: what stands on the page is then in its address, and whoever gets it
 * sees the same.
 */
export async function leadToOwnScope(
  path: string,
  { session, searchParams }: { session: AppSession; searchParams: Record<string, string | string[] | undefined> },
): Promise<void> {
  const search = toSearch(searchParams)
  const start = path.slice(1) in LISTS && search.size === 0 ? (await readStarts(session))[path] : undefined
  if (start !== undefined) redirect(start)
  const own = findOwn({ path, search }, await readOwnScope(session, Date.now()))
  if (own !== null) redirect(own)
}
