/** What a matrix says of the lines in each cell, as the URL spells it; the first unasked. */
export const MEASURES = ['total', 'net', 'non_taxable', 'tax', 'lines', 'findings', 'unexplained', 'undecided'] as const

/**
 * `net` and `non_taxable` are quantity times the unit price of each; `unexplained` is the
 * difference of lines that nothing explains (decision 041). `findings` counts findings, not lines.
 * `undecided` counts lines with findings that wait for somebody (decision 058).
 */
export type Measure = (typeof MEASURES)[number]

/** Whether its figures are counts, and not money. */
export function isCount(measure: Measure): boolean {
  return measure === 'lines' || measure === 'findings' || measure === 'undecided'
}
