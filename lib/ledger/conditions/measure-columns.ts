import type { Measure } from '#lib/reconcile/matrix/measures.ts'
import { LINE_DIFFERENCE, ofFlagged, toLineState } from '../fields/line-fields.ts'
import type { OwnPlaceholder } from '../sql/sql-parameters.ts'
import type { LineSource } from './line-source.ts'

const UNEXPLAINED = `case when ${toLineState('f')} = 'unexplained' then ${LINE_DIFFERENCE.replaceAll('l.', 'f.')} else 0 end`

/** What roll-ups do not sum. */
const OF_LINES: Partial<Record<Measure, (own: OwnPlaceholder) => string>> = {
  net: () => 'sum(l.quantity * l.unit_price)',
  non_taxable: () => 'sum(l.quantity * l.non_taxable_unit_price)',
  tax: () => 'sum(l.tax_amount)',
  unexplained: (own) => `sum(${ofFlagged(UNEXPLAINED, own())})`,
}

/** Whether roll-ups do not sum it: then lines answer, or sums by month. */
export function isOfLines(measure: Measure): boolean {
  return measure in OF_LINES
}

/** SQL that sums a measure of rows of its source. */
export function toMeasure(measure: Measure, source: LineSource, own: OwnPlaceholder): string {
  const ofLines = OF_LINES[measure]
  if (ofLines !== undefined) return source.isRollup ? `sum(l.${measure}_amount)` : ofLines(own)
  if (measure === 'lines' || measure === 'undecided') return source.lineCount
  return measure === 'findings' ? 'sum(l.finding_count)' : 'sum(l.total_amount)'
}
