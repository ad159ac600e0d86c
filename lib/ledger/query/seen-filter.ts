import { type Day, parseDay } from '#lib/reconcile/day.ts'

/** Lines that first came here since a day began (UTC), or before it. */
export function toSeenFilter(side: 'since' | 'before', day: Day): string {
  return `${side} ${day}`
}

/** What `toSeenFilter` wrote; null for any other text. */
export function parseSeenFilter(text: string): { side: 'since' | 'before'; day: Day } | null {
  const [side, rest = ''] = text.split(' ')
  const day = parseDay(rest)
  return (side === 'since' || side === 'before') && day !== null ? { side, day } : null
}
