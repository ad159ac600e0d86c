/** The query of a summary: the lines' filters, and what to sum by. */
import { type Folding, LINE_FILTERS } from './line-query.ts'
import { defineQuery, groupedBy, type QueryOf } from './list-query.ts'

export { toSearchParams } from './search-params.ts'

export const SUMMARY_KEYS = [
  'month',
  'currency',
  'vertical',
  'cost_center',
  'service',
  'profile',
  'status',
  'mode',
  'tax_regime',
  'tax_percentage',
  'trip',
] as const

export type SummaryKey = (typeof SUMMARY_KEYS)[number]

export const SUMMARY_QUERY = defineQuery({ by: groupedBy(SUMMARY_KEYS, ['month']), ...LINE_FILTERS })

export type SummaryQuery = QueryOf<typeof SUMMARY_QUERY.parameters> & Folding
