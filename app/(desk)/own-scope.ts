import { cookies } from 'next/headers'
import { redirect } from 'next/navigation'
import { findOwn, readKept, SCOPE_COOKIE, toSearch } from '#components/scope/scope.ts'
import type { AppSession } from '#lib/auth/model.ts'
import { dayOf } from '#lib/reconcile/day.ts'
import { defaultPeriod } from '#lib/reconcile/period.ts'

/** The scope that the person chose last at this browser; this quarter before there is one. */
export async function readOwnScope({ userId }: AppSession, now: number): Promise<string> {
  const kept = readKept((await cookies()).get(SCOPE_COOKIE)?.value, userId)
  return kept ?? `period=${defaultPeriod(dayOf(now)).text}`
}

/**
 * An address that says nothing leads to one that says what the person keeps: what stands on the
 * page is then in its address, and whoever gets it sees the same.
 */
export async function leadToOwnScope(
  path: string,
  { session, searchParams }: { session: AppSession; searchParams: Record<string, string | string[] | undefined> },
): Promise<void> {
  const own = findOwn({ path, search: toSearch(searchParams) }, await readOwnScope(session, Date.now()))
  if (own !== null) redirect(own)
}
