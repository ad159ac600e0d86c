import { plural } from '#components/text/plural.ts'

/** `today`, `yesterday`, `12 days ago`. */
export function describeDaysAgo(days: number): string {
  if (days <= 0) return 'today'
  return days === 1 ? 'yesterday' : `${plural(days, 'day')} ago`
}
