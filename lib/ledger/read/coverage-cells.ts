/**
 * Coverage calendars from counted invoices and complete readings. Pure: no database and no clock.
 */

import type { ConnectionId } from '#lib/ids.ts'
import { addCounts, type StateCounts, stateOf, worstOf } from '#lib/reconcile/verdict.ts'
import {
  type CompletenessSurvey,
  type InvoiceCompleteness,
  toInvoiceCheck,
} from '../kept/plain-invoices/read-completeness.ts'
import type { CoverageCell, CoverageProfile, CoverageState } from '../model.ts'

/** The platform returns nothing that was issued earlier (assumption 21). */
export const FIRST_MONTH = '2019-01'

/** A completely read part of the account: days of issue, inclusive, null = open end. */
export type CompleteReading = { list: 'invoices' | 'lines'; from: string | null; upto: string | null; at: string }

export type KnownProfile = {
  id: string | null
  name: string | null
  currency: string | null
  /** YYYY-MM of its first invoice; null if it has none that says. */
  firstMonth: string | null
}

/** The months from `first` to `last`, both included, as YYYY-MM. */
export function listMonths(first: string, last: string): string[] {
  const months: string[] = []
  for (let number = toNumber(first); number <= toNumber(last); number++) months.push(toMonth(number))
  return months
}

/** The month `count` months before a month, or after it if `count` is negative. */
export function monthsBefore(month: string, count: number): string {
  return toMonth(toNumber(month) - count)
}

/** The first and the last day of a month. */
export function toMonthDays(month: string): { from: string; to: string } {
  const [year, number] = [Number(month.slice(0, 4)), Number(month.slice(5, 7))]
  return { from: `${month}-01`, to: new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10) }
}

/**
 * When a month was last read completely, in both lists: the older of the two. Null if one list
 * never was. A reading counts for a month only if it covers all of its days.
 */
export function toVerifiedAt(month: string, readings: readonly CompleteReading[]): string | null {
  const { from, to } = toMonthDays(month)
  const latest = (['invoices', 'lines'] as const).map((list) =>
    readings
      .filter(
        (reading) =>
          reading.list === list &&
          (reading.from === null || reading.from <= from) &&
          (reading.upto === null || reading.upto >= to),
      )
      .reduce<string | null>((last, { at }) => (last === null || at > last ? at : last), null),
  )
  const [invoices = null, lines = null] = latest
  return invoices === null || lines === null ? null : ([invoices, lines].sort()[0] ?? null)
}

/** What a cell says of its invoices; such counts add up. */
type InvoiceCounts = Omit<CoverageCell, 'month' | 'state' | 'verdict' | 'verifiedAt'>

/** Invoices of one profile, month of issue and currency; null where they do not say. */
export type CountedInvoices = {
  connectionId: ConnectionId
  profileId: string | null
  month: string | null
  currency: string
  counts: InvoiceCounts
}

const NONE: InvoiceCounts = {
  invoiceCount: 0,
  lineCount: 0,
  rejectedLineCount: 0,
  linesMissing: 0,
  goneCount: 0,
  states: {},
  lineStates: {},
}

/** Lines with findings of one profile, month of issue and currency, by their states. */
export type FlaggedLines = Omit<CountedInvoices, 'counts'> & { lineStates: StateCounts }

/** Lines that are worth a look as numbers of the same months as their invoices. */
export function countFlagged(lines: readonly FlaggedLines[]): CountedInvoices[] {
  return lines.map(({ lineStates, ...of }) => ({ ...of, counts: { ...NONE, lineStates } }))
}

/** The invoices of a survey as numbers, plain and proved ones alike. */
export function countInvoices({ plain, proved }: CompletenessSurvey): CountedInvoices[] {
  return [
    ...plain.map(({ connectionId, profileId, month, currency, isGone, invoiceCount, lineCount }) => ({
      connectionId,
      profileId,
      month,
      currency,
      counts: {
        ...NONE,
        lineCount,
        ...(isGone ? { goneCount: invoiceCount } : { invoiceCount }),
        states: { [isGone ? 'removed' : 'ties_out']: invoiceCount },
      },
    })),
    ...proved.map((invoice) => ({
      connectionId: invoice.connectionId,
      profileId: invoice.profileId,
      month: invoice.issuingDate?.slice(0, 7) ?? null,
      currency: invoice.currency,
      counts: countInvoice(invoice),
    })),
  ]
}

/** What is gone from the platform may hold lines, lacks nothing, and is no invoice any more. */
function countInvoice(invoice: InvoiceCompleteness): InvoiceCounts {
  const { isGone, completeness } = invoice
  const { count, heldLineCount, otherCurrencyLineCount, rejectedLineCount } = completeness
  return {
    invoiceCount: isGone ? 0 : 1,
    lineCount: heldLineCount + otherCurrencyLineCount,
    rejectedLineCount,
    linesMissing: isGone ? 0 : Math.max(0, (count.stated ?? 0) - count.held),
    goneCount: isGone ? 1 : 0,
    states: { [stateOf({ invoice: toInvoiceCheck(invoice) })]: 1 },
    lineStates: {},
  }
}

function addInvoices(a: InvoiceCounts, b: InvoiceCounts): InvoiceCounts {
  return {
    invoiceCount: a.invoiceCount + b.invoiceCount,
    lineCount: a.lineCount + b.lineCount,
    rejectedLineCount: a.rejectedLineCount + b.rejectedLineCount,
    linesMissing: a.linesMissing + b.linesMissing,
    goneCount: a.goneCount + b.goneCount,
    states: addCounts(a.states, b.states),
    lineStates: addCounts(a.lineStates, b.lineStates),
  }
}

/**
 * One calendar per profile in `profiles`, which includes those only invoices name, and null for
 * none.
 */
export function toCoverage(
  months: readonly string[],
  profiles: readonly KnownProfile[],
  invoices: readonly CountedInvoices[],
  readings: readonly CompleteReading[],
): CoverageProfile[] {
  const verified = new Map(months.map((month) => [month, toVerifiedAt(month, readings)]))
  return profiles.map((profile) => {
    const byMonth = new Map<string | null, InvoiceCounts>()
    for (const { profileId, month, counts } of invoices)
      if (profileId === profile.id) byMonth.set(month, addInvoices(byMonth.get(month) ?? NONE, counts))
    const cells = months.map((month) =>
      toCell(month, byMonth.get(month) ?? NONE, verified.get(month) ?? null, profile.firstMonth),
    )
    return { id: profile.id, name: profile.name, currency: profile.currency, cells }
  })
}

function toCell(
  month: string,
  counts: InvoiceCounts,
  verifiedAt: string | null,
  firstMonth: string | null,
): CoverageCell {
  const isBefore = firstMonth === null || month < firstMonth
  const verdict = stateOf({ parts: addCounts(counts.states, counts.lineStates) })
  return { month, state: toState(counts, verifiedAt, isBefore), verdict, ...counts, verifiedAt }
}

function toState(
  { invoiceCount, goneCount }: InvoiceCounts,
  verifiedAt: string | null,
  isBefore: boolean,
): CoverageState {
  if (invoiceCount > 0) return verifiedAt === null ? 'held' : 'verified'
  if (verifiedAt === null) return 'unread'
  // emptied by the platform is not the same as empty, and nothing is there that could be equal
  if (goneCount > 0) return 'gone'
  return isBefore ? 'before' : 'empty'
}

/** From what needs a person most to what needs nobody. */
const WORST_FIRST: CoverageState[] = ['unread', 'held', 'gone', 'verified', 'empty', 'before']

/**
 * One calendar for several profiles: counts add up and the worst state wins. All profiles share a
 * month's `verifiedAt`.
 */
export function mergeProfiles(profiles: readonly CoverageProfile[]): CoverageCell[] {
  const [first, ...others] = profiles
  if (first === undefined) return []
  return first.cells.map((cell, index) =>
    others.reduce((all, { cells }) => mergeCells(all, cells[index] as CoverageCell), cell),
  )
}

function mergeCells(a: CoverageCell, b: CoverageCell): CoverageCell {
  return {
    month: a.month,
    state: WORST_FIRST.find((state) => a.state === state || b.state === state) ?? a.state,
    ...addInvoices(a, b),
    verdict: worstOf([a.verdict, b.verdict]),
    verifiedAt: a.verifiedAt,
  }
}

function toNumber(month: string): number {
  return Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7)) - 1
}

function toMonth(number: number): string {
  return `${String(Math.floor(number / 12)).padStart(4, '0')}-${String((number % 12) + 1).padStart(2, '0')}`
}
