import { plural } from '#components/text/plural.ts'
import type { ConnectionId } from '#lib/ids.ts'
import type { CoverageCell, CoverageProfile, CoverageState } from '#lib/ledger/model.ts'
import type { State } from '#lib/reconcile/verdict.ts'
import { toInvoicesAddress } from './coverage-addresses.ts'
import { describeCell, toMonthDays } from './coverage-words.ts'

/** An address of a profile's month: what stands before the month's days, and after them. */
export type MonthAddress = [before: string, after: string]

/** A month with invoices: what it counts, and all its facts in words. */
type FilledCell = [state: CoverageState, verdict: State, lineCount: number, text: string]
/**
 * A month without invoices, also one whose invoices were removed, is its state alone; one outside
 * of the calendar is null.
 */
export type PackedCell = FilledCell | CoverageState | null

/**
 * A profile's months on their way to the browser: what a cell is, and none of its markup, of which
 * a calendar of eight years has a hundred.
 */
export type PackedCalendar = {
  profileId: string | null
  name: string
  currency: string | null
  counts: string
  /** Where a month's invoices are. */
  address: MonthAddress
  /** Latest first, each with its twelve months. */
  years: { year: string; cells: PackedCell[] }[]
}

const MONTHS = Array.from({ length: 12 }, (_, index) => String(index + 1).padStart(2, '0'))

export function packCalendar(connectionId: ConnectionId, profile: CoverageProfile): PackedCalendar {
  const byMonth = new Map(profile.cells.map((cell) => [cell.month, cell]))
  const sum = (of: (cell: CoverageCell) => number) => profile.cells.reduce((all, cell) => all + of(cell), 0)
  const invoices = sum((cell) => cell.invoiceCount)
  const lines = sum((cell) => cell.lineCount)
  const pack = (cell: CoverageCell | undefined): PackedCell => {
    if (cell === undefined) return null
    if (cell.invoiceCount === 0) return cell.state
    return [cell.state, cell.verdict, cell.lineCount, describeCell(cell)]
  }
  const years = [...new Set(profile.cells.map(({ month }) => month.slice(0, 4)))].reverse()
  return {
    profileId: profile.id,
    name: profile.name ?? profile.id ?? 'Invoices without a profile',
    currency: profile.currency,
    address: toMonthAddress((month) => toInvoicesAddress({ connectionId, profileId: profile.id, month })),
    counts: `${plural(invoices, 'invoice')} · ${plural(lines, 'line')}`,
    years: years.map((year) => ({ year, cells: MONTHS.map((month) => pack(byMonth.get(`${year}-${month}`))) })),
  }
}

export function toMonthAddress(toAddress: (month: string) => string): MonthAddress {
  const month = '2000-01'
  const [before = '', after = ''] = toAddress(month).split(toMonthDays(month))
  return [before, after]
}
