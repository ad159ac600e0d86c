import type { Measure } from '#lib/reconcile/matrix/measures.ts'
import { LINE_DIFFERENCE, toLineState } from '../fields/line-fields.ts'
import type { LineSource } from './line-source.ts'

/** Most lines have no finding: what says whether it is explained is looked up for the others. */
const UNEXPLAINED = `case when l.finding_count = 0 then 0 else (
  select case when ${toLineState('f')} = 'unexplained' then ${LINE_DIFFERENCE.replaceAll('l.', 'f.')} else 0 end from line f
  where f.organization_id = l.organization_id and f.connection_id = l.connection_id and f.id = l.id) end`

/** What roll-ups do not sum. */
const OF_LINES: Partial<Record<Measure, string>> = {
  net: 'sum(l.quantity * l.unit_price)',
  non_taxable: 'sum(l.quantity * l.non_taxable_unit_price)',
  tax: 'sum(l.tax_amount)',
  unexplained: `sum(${UNEXPLAINED})`,
}

/** Whether roll-ups do not sum it: then lines answer, or sums by month. */
export function isOfLines(measure: Measure): boolean {
  return measure in OF_LINES
}

/** SQL that sums a measure of rows of its source. */
export function toMeasure(measure: Measure, source: LineSource): string {
  const ofLines = OF_LINES[measure]
  if (ofLines !== undefined) return source.isRollup ? `sum(l.${measure}_amount)` : ofLines
  if (measure === 'lines' || measure === 'undecided') return source.lineCount
  return measure === 'findings' ? 'sum(l.finding_count)' : 'sum(l.total_amount)'
}
