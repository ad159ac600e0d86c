import { toSearchedAmounts, withBothSigns } from './amount-search.ts'
import type { LineFilters } from './line-query.ts'
import {
  joinConditions,
  type SqlParameters,
  toAnyOf,
  toConnectionCondition,
  toContainsPattern,
} from './sql-parameters.ts'

/** The columns that the text search looks into. */
const SEARCHED_COLUMNS = [
  'l.description',
  'l.trip_name',
  'l.trip_id',
  'l.invoice_serial_number',
  'l.vendor_name',
  'l.cost_center',
  'l.id',
]

/**
 * The one where-clause of lines (`line l`): the list, its totals, the groups, the counts and the files all use it, so that
 * they can never disagree. Every value is a parameter.
 */
export function toLineConditions(organizationId: string, filters: LineFilters, parameters: SqlParameters): string {
  const dateColumn = filters.dateField === 'issued' ? 'l.issuing_date' : 'l.expense_date'
  return joinConditions([
    `l.organization_id = ${parameters.add(organizationId)}::uuid`,
    toConnectionCondition('l.connection_id', filters.connections, parameters),
    filters.from === null ? null : `${dateColumn} >= ${parameters.add(filters.from)}::date`,
    filters.to === null ? null : `${dateColumn} <= ${parameters.add(filters.to)}::date`,
    toAnyOf('l.currency', filters.currencies, parameters),
    toAnyOf('l.related_vertical', filters.verticals, parameters),
    toAnyOf('l.cost_center', filters.costCenters, parameters),
    toAnyOf('l.trip_id', filters.trips, parameters),
    toAnyOf('l.invoice_status', filters.statuses, parameters),
    toAnyOf('l.invoice_mode', filters.modes, parameters),
    toAnyOf('l.profile_id', filters.profiles, parameters),
    toAnyOf('l.service', filters.services, parameters),
    toAnyOf('l.invoice_serial_number', filters.invoices, parameters),
    filters.findingsOnly ? 'l.finding_count > 0' : null,
    toTextCondition(filters.text, parameters),
  ])
}

function toTextCondition(text: string, parameters: SqlParameters): string | null {
  if (text === '') return null
  const pattern = parameters.add(toContainsPattern(text))
  const found = SEARCHED_COLUMNS.map((column) => `${column} ilike ${pattern}`)
  found.push(`exists (select from unnest(l.traveler_names) as traveler (name) where traveler.name ilike ${pattern})`)
  const amounts = toSearchedAmounts(text)
  if (amounts.length > 0) found.push(`l.total_amount = any(${parameters.add(withBothSigns(amounts))}::numeric[])`)
  return `(${found.join(' or ')})`
}
