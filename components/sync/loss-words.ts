import { plural } from '#components/text/plural.ts'

/** The two counts of a loss. */
export function toLossCounts(lines: number, invoices: number): string {
  return `${plural(lines, 'line')} and ${plural(invoices, 'invoice')}`
}
