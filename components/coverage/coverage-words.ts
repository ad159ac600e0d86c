import { MONTH_NAMES } from '#components/text/month-names.ts'
import { plural } from '#components/text/plural.ts'
import type { CoverageCell, CoverageState } from '#lib/ledger/model.ts'

export const STATE_LABELS: Record<CoverageState, string> = {
  verified: 'Every invoice equals the platform’s own figures',
  held: 'Held, not read completely yet',
  behind: 'An invoice lacks lines or differs',
  unread: 'Not read completely yet',
  gone: 'Every invoice was removed by the platform',
  empty: 'Read, no invoice',
  before: 'Before the first invoice',
}

/** `March 2026`. */
export function toMonthName(month: string): string {
  return `${MONTH_NAMES[Number(month.slice(5, 7)) - 1]} ${month.slice(0, 4)}`
}

/** A month's days, as an address writes them. */
export function toMonthDays(month: string): string {
  return `period=${month}`
}

export function toMonthInitial(month: string): string {
  return (MONTH_NAMES[Number(month.slice(5, 7)) - 1] ?? '').slice(0, 1)
}

/**
 * All facts of a cell in one sentence: `3 invoices, 41 lines, 1 invoice differs or lacks lines, 1
 * line not imported`.
 */
export function describeCell(cell: CoverageCell): string {
  const removed = `${plural(cell.goneCount, 'invoice')} removed by the platform`
  if (cell.invoiceCount === 0) return cell.goneCount > 0 ? removed : STATE_LABELS[cell.state].toLowerCase()
  const parts = [plural(cell.invoiceCount, 'invoice'), plural(cell.lineCount, 'line'), ...listGaps(cell)]
  if (cell.explainedCount > 0) parts.push(`${plural(cell.explainedCount, 'difference')} explained`)
  if (cell.goneCount > 0) parts.push(removed)
  if (cell.state === 'verified') parts.push('all equal the platform’s own figures')
  if (cell.verifiedAt === null) parts.push('not read completely yet')
  return parts.join(', ')
}

/** What is wrong with a month. */
export function listGaps(cell: CoverageCell): string[] {
  const gaps: string[] = []
  if (cell.behindCount > 0)
    gaps.push(plural(cell.behindCount, 'invoice differs or lacks lines', 'invoices differ or lack lines'))
  if (cell.linesMissing > 0) gaps.push(`${plural(cell.linesMissing, 'line')} missing`)
  if (cell.rejectedLineCount > 0) gaps.push(`${plural(cell.rejectedLineCount, 'line')} not imported`)
  return gaps
}
