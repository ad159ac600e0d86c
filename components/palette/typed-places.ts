/** Where the palette leads without asking: groups by each key, and the page of another period. */
import { keyLabel } from '#components/groups/group-labels.ts'
import { describePeriod } from '#components/period/period-words.ts'
import { toAddress } from '#components/query/address.ts'
import { type Here, isScoped, readScope, withScope } from '#components/scope/scope.ts'
import { dayOf } from '#lib/reconcile/day.ts'
import { GROUP_KEYS } from '#lib/reconcile/group-keys.ts'
import { listUsualPeriods, type Period, periodBefore } from '#lib/reconcile/period.ts'
import type { FoundPlace } from './places.ts'

/** How many of each kind, the latest first. */
const PERIODS = { month: 24, quarter: 8, year: 3, fiscal: 3 }

/**
 * All of them, for a person who is `here`.
 * @param scoped an address in the scope that the groups would have
 */
export function listTypedPlaces(here: Here, scoped: string, now: number): FoundPlace[] {
  const scope = readScope({ path: '/lines', search: new URL(scoped, 'http://desk').searchParams })
  const groups = GROUP_KEYS.map((key) => ({
    kind: 'largest first',
    label: `Groups by ${keyLabel(key).toLowerCase()}`,
    href: toAddress('/groups', `by=${key}&sort=-total&${scope}`),
  }))
  // from any other page to the overview
  const from = isScoped(here.path) ? here : { path: '/', search: new URLSearchParams() }
  const periods = listPeriods(now).map((period) => ({
    kind: 'period',
    label: describePeriod(period),
    href: withScope(from, { period: period.text }),
  }))
  return [...groups, ...periods]
}

function listPeriods(now: number): Period[] {
  const latest = listUsualPeriods(dayOf(now)).filter((_, at) => at % 2 === 0)
  return latest.flatMap((period) => {
    const found = [period]
    while (found.length < PERIODS[period.kind]) found.push(periodBefore(found.at(-1) as Period))
    return found
  })
}
