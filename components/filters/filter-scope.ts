import type { FilterValues } from '#components/query/list-address.ts'
import type { ListName } from '#components/query/lists.ts'
import type { Day } from '#lib/reconcile/day.ts'
import { formatDay, formatDays } from '#lib/reconcile/format.ts'
import { type FilterOptions, isChoice, listFields, toValueLabel } from './filter-fields.ts'

/**
 * A list's scope in words, for the line under its title: `All connections, issued Jan 1 to Mar 31,
 * 2026`.
 */
export function describeScope(
  filters: Partial<FilterValues>,
  options: FilterOptions,
  list: 'lines' | 'invoices',
): string {
  const chosen = filters.connections ?? []
  const connections =
    chosen.length > 0
      ? chosen.map((id) => toConnectionName(id, options, list)).join(' and ')
      : options.connections.length === 1
        ? (options.connections[0]?.name ?? 'One connection')
        : 'All connections'
  const dates = describeDays(filters.from ?? null, filters.to ?? null)
  if (dates === null) return connections
  const isIssued = list === 'invoices' || filters.dateField === 'issued'
  return `${connections}, ${isIssued ? 'issued ' : ''}${dates}`
}

function toConnectionName(id: string, options: FilterOptions, list: ListName): string {
  const fields = listFields(list).filter(isChoice)
  const field = fields.find(({ key }) => key === 'connections')
  return field === undefined ? id : toValueLabel(field, id, options)
}

/** `Jan 1 to Mar 31, 2026`, `from Jan 1, 2026`, `to Mar 31, 2026`; null when no day is set. */
export function describeDays(from: Day | null, to: Day | null): string | null {
  if (from === null && to === null) return null
  if (from === null) return `to ${formatDay(to as Day)}`
  if (to === null) return `from ${formatDay(from)}`
  return formatDays(from, to)
}
