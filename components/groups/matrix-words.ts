import type { MatrixQuery } from '#lib/ledger/query/matrix-query.ts'
import type { Comparison } from '#lib/reconcile/matrix/compared-span.ts'
import type { Measure } from '#lib/reconcile/matrix/measures.ts'
import { describeKeys, keyLabel } from './group-labels.ts'

export const MEASURE_LABELS: Record<Measure, string> = {
  total: 'total',
  net: 'net',
  non_taxable: 'non-taxable',
  tax: 'tax',
  lines: 'lines',
  findings: 'findings',
  unexplained: 'unexplained',
  undecided: 'lines to decide',
}

export const COMPARISON_LABELS: Record<Comparison, string> = {
  none: 'nothing',
  before: 'the period before',
  year: 'a year ago',
}

/** `Tax by cost center, then vertical, across month of expense`. */
export function describeMatrix({ by, measure, across }: Pick<MatrixQuery, 'by' | 'measure' | 'across'>): string {
  const [first = '', ...rest] = MEASURE_LABELS[measure]
  const keys = describeKeys(by)
  return `${first.toUpperCase()}${rest.join('')} ${keys.charAt(0).toLowerCase()}${keys.slice(1)}, across ${keyLabel(across).toLowerCase()}`
}
