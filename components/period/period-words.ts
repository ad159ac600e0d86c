import { formatMonth } from '#lib/reconcile/format.ts'
import type { Period } from '#lib/reconcile/period.ts'

/** `2026`, `Q4 2026`, `Nov 2026`, `FY 2026/27`. */
export function describePeriod({ kind, text, from, to }: Period): string {
  if (kind === 'year') return text
  if (kind === 'month') return formatMonth(from)
  if (kind === 'fiscal') return `FY ${from.slice(0, 4)}/${to.slice(2, 4)}`
  return `${text.slice(5)} ${text.slice(0, 4)}`
}
