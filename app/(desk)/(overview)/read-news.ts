import type { AppSession } from '#lib/auth/model.ts'
import type { Sql } from '#lib/db/tenant.ts'
import { summarizeChanges } from '#lib/ledger/history/history-list.ts'
import type { ChangeSummary } from '#lib/ledger/model.ts'
import { type Day, dayOf } from '#lib/reconcile/day.ts'

const DAY_MS = 86_400_000
/** For somebody who is here for the first time, and the most for somebody who was long away. */
const DAYS = { first: 7, most: 92 }

export type News = { changes: ChangeSummary; title: string }

/**
 * From which day on removed lines are named: for a week, and for as long as this person was away.
 */
export function toGoneSince({ lastVisit }: AppSession, now: number): Day {
  const days = [dayOf(now - DAYS.first * DAY_MS), toSpan(lastVisit, now).since]
  return days.sort()[0] as Day
}

/** What changed since this person was last here, in some accounts or all. */
export async function readNews(
  { organizationId, lastVisit }: AppSession,
  now: number,
  connections: string[],
  within: Sql,
): Promise<News> {
  const { since, title } = toSpan(lastVisit, now)
  return { changes: await summarizeChanges(organizationId, since, connections, within), title }
}

function toSpan(lastVisit: Day | null, now: number): { since: Day; title: string } {
  const lastDays = (days: number) => ({ since: dayOf(now - days * DAY_MS), title: `Last ${days} days` })
  if (lastVisit === null) return lastDays(DAYS.first)
  const most = lastDays(DAYS.most)
  return lastVisit < most.since ? most : { since: lastVisit, title: 'Since you were last here' }
}
