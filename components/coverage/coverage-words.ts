import { MONTH_NAMES } from '#components/text/month-names.ts'
import { plural } from '#components/text/plural.ts'
import { STATE_LOOKS } from '#components/verdict/verdict-looks.ts'
import type { CoverageCell, CoverageState } from '#lib/ledger/model.ts'
import { STATES, type State } from '#lib/reconcile/verdict.ts'

export const STATE_LABELS: Record<CoverageState, string> = {
  verified: 'Read completely',
  held: 'Not read completely yet, invoices so far',
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
 * All facts of a cell in one sentence: `3 invoices, 41 lines, 1 invoice unexplained, 2 lines
 * explained`.
 */
export function describeCell(cell: CoverageCell): string {
  const removed = `${plural(cell.goneCount, 'invoice')} removed by the platform`
  if (cell.invoiceCount === 0) return cell.goneCount > 0 ? removed : STATE_LABELS[cell.state].toLowerCase()
  const parts = [plural(cell.invoiceCount, 'invoice'), plural(cell.lineCount, 'line'), ...listGaps(cell)]
  if (cell.verdict === 'ties_out') parts.push(STATE_LOOKS.ties_out.word)
  if (cell.verifiedAt === null) parts.push('not read completely yet')
  return parts.join(', ')
}

/**
 * What is worth a look in a month: its invoices and their lines by their states, the worst first.
 */
export function listGaps(cell: CoverageCell): string[] {
  const gaps = STATES.filter((state) => state !== 'ties_out').flatMap((state) => {
    const [invoices, lines] = [cell.states[state] ?? 0, cell.lineStates[state] ?? 0]
    return [
      ...(invoices > 0 ? [`${plural(invoices, 'invoice')} ${toWords(state, invoices)}`] : []),
      ...(lines > 0 ? [`${plural(lines, 'line')} ${toWords(state, lines)}`] : []),
    ]
  })
  if (cell.linesMissing > 0) gaps.push(`${plural(cell.linesMissing, 'line')} missing`)
  if (cell.rejectedLineCount > 0) gaps.push(`${plural(cell.rejectedLineCount, 'line')} not imported`)
  return gaps
}

/** After a number of invoices or lines. */
function toWords(state: State, count: number): string {
  if (state === 'note') return count === 1 ? 'with a note' : 'with notes'
  return state === 'not_imported' ? 'with lines not imported' : STATE_LOOKS[state].word
}

/** Whether a month has something that is neither explained nor decided by the platform. */
export function isGap({ verdict, states, lineStates }: CoverageCell): boolean {
  return verdict === 'unexplained' || [states, lineStates].some(({ not_imported = 0 }) => not_imported > 0)
}
