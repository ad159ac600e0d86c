import { toSearchedAmounts, withBothSigns } from './amount-search.ts'
import type { LineFilters } from './line-query.ts'
import {
  joinConditions,
  type SqlParameters,
  toAnyOf,
  toConnectionCondition,
  toContainsPattern,
} from './sql-parameters.ts'

/**
 * What the text search looks into, as one text: a single comparison costs a third of eight. A sign that nobody types keeps
 * the end of one column apart from the start of the next.
 */
const SEARCHED_TEXT = [
  'l.description',
  "coalesce(l.trip_name, '')",
  "coalesce(l.trip_id, '')",
  'l.invoice_serial_number',
  "coalesce(l.vendor_name, '')",
  "coalesce(l.cost_center, '')",
  'l.id',
  'array_to_string(l.traveler_names, chr(31))',
].join(' || chr(31) || ')

/**
 * The one where-clause of lines (`line l`): the list, its totals, the groups, the counts and the files all use it, so that
 * they can never disagree. Every value is a parameter.
 */
export function toLineConditions(organizationId: string, filters: LineFilters, parameters: SqlParameters): string {
  const dateColumn = filters.dateField === 'issued' ? 'l.issuing_date' : 'l.expense_date'
  return joinConditions([
    `l.organization_id = ${parameters.add(organizationId)}::uuid`,
    // what the platform does not have any more stays stored and is seen under Changes
    'l.missing_since is null',
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
    filters.findingCodes.length === 0
      ? null
      : `(l.finding_count > 0 and l.finding_codes && ${parameters.add(filters.findingCodes)}::text[])`,
    filters.findingsOnly ? 'l.finding_count > 0' : null,
    toTextCondition(filters.text, parameters),
  ])
}

function toTextCondition(text: string, parameters: SqlParameters): string | null {
  if (text === '') return null
  const found = [`(${SEARCHED_TEXT}) ilike ${parameters.add(toContainsPattern(text))}`]
  const amounts = toSearchedAmounts(text)
  if (amounts.length > 0) found.push(`l.total_amount = any(${parameters.add(withBothSigns(amounts))}::numeric[])`)
  return `(${found.join(' or ')})`
}
