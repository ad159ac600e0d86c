import { formatDayOf } from '#lib/reconcile/moment.ts'

/** The state of what the platform removed, with the day on which it was noticed. */
export function describeRemoval(missingSince: string): string {
  return `removed by the platform on ${formatDayOf(missingSince)}`
}
