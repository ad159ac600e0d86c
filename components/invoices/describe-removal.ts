import type { Day } from '#lib/reconcile/day.ts'
import { formatDay } from '#lib/reconcile/format.ts'

/** The state of what the platform removed, with the day on which it was noticed. */
export function describeRemoval(missingSince: string): string {
  return `removed by the platform on ${formatDay(missingSince.slice(0, 10) as Day)}`
}
