/**
 * Coverage calendars from proved invoices and complete readings. Pure: no database and no clock.
 */

import type { CoverageCell, CoverageProfile, CoverageState } from '../model.ts'
import type { InvoiceCompleteness } from './read-completeness.ts'

/** The platform returns nothing that was issued earlier (assumption 21). */
export const FIRST_MONTH = '2019-01'

/** A completely read part of the account: days of issue, inclusive, null = open end. */
export type CompleteReading = { list: 'invoices' | 'lines'; from: string | null; upto: string | null; at: string }

export type KnownProfile = {
  id: string | null
  name: string | null
  currency: string | null
  firstIssued: string | null
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

/**
 * One calendar per profile in `profiles`, which includes those only invoices name, and null for
 * none.
 */
export function toCoverage(
  months: readonly string[],
  profiles: readonly KnownProfile[],
  invoices: readonly InvoiceCompleteness[],
  readings: readonly CompleteReading[],
): CoverageProfile[] {
  const verified = new Map(months.map((month) => [month, toVerifiedAt(month, readings)]))
  return profiles.map((profile) => {
    const mine = invoices.filter(({ profileId }) => profileId === profile.id)
    const byMonth = new Map<string, InvoiceCompleteness[]>()
    for (const invoice of mine) {
      const month = invoice.issuingDate?.slice(0, 7)
      if (month !== undefined) byMonth.set(month, [...(byMonth.get(month) ?? []), invoice])
    }
    const firstMonth = profile.firstIssued?.slice(0, 7) ?? null
    const cells = months.map((month) =>
      toCell(month, byMonth.get(month) ?? [], verified.get(month) ?? null, firstMonth),
    )
    return { id: profile.id, name: profile.name, currency: profile.currency, cells }
  })
}

function toCell(
  month: string,
  invoices: readonly InvoiceCompleteness[],
  verifiedAt: string | null,
  firstMonth: string | null,
): CoverageCell {
  const there = invoices.filter(({ isGone }) => !isGone)
  const count = (wanted: (invoice: InvoiceCompleteness) => boolean) => there.filter(wanted).length
  const sum = (of: (invoice: InvoiceCompleteness) => number) => invoices.reduce((all, each) => all + of(each), 0)
  const behind = count(({ completeness: { verdict } }) => verdict === 'lines_missing' || verdict === 'differs')
  return {
    month,
    state: toState({
      invoiceCount: invoices.length,
      behind,
      verifiedAt,
      isBefore: firstMonth === null || month < firstMonth,
    }),
    invoiceCount: invoices.length,
    lineCount: sum(({ completeness }) => completeness.heldLineCount + completeness.otherCurrencyLineCount),
    rejectedLineCount: sum(({ completeness }) => completeness.rejectedLineCount),
    linesMissing: there.reduce(
      (all, { completeness: { count: lines } }) => all + Math.max(0, (lines.stated ?? 0) - lines.held),
      0,
    ),
    behindCount: behind,
    explainedCount: count(({ completeness }) => completeness.verdict === 'explained'),
    goneCount: invoices.length - there.length,
    verifiedAt,
  }
}

type Facts = { invoiceCount: number; behind: number; verifiedAt: string | null; isBefore: boolean }

function toState({ invoiceCount, behind, verifiedAt, isBefore }: Facts): CoverageState {
  if (behind > 0) return 'behind'
  if (invoiceCount > 0) return verifiedAt === null ? 'held' : 'verified'
  if (verifiedAt === null) return 'unread'
  return isBefore ? 'before' : 'empty'
}

/** From what needs a person most to what needs nobody. */
const WORST_FIRST: CoverageState[] = ['behind', 'unread', 'held', 'verified', 'empty', 'before']

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
    invoiceCount: a.invoiceCount + b.invoiceCount,
    lineCount: a.lineCount + b.lineCount,
    rejectedLineCount: a.rejectedLineCount + b.rejectedLineCount,
    linesMissing: a.linesMissing + b.linesMissing,
    behindCount: a.behindCount + b.behindCount,
    explainedCount: a.explainedCount + b.explainedCount,
    goneCount: a.goneCount + b.goneCount,
    verifiedAt: a.verifiedAt,
  }
}

function toNumber(month: string): number {
  return Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7)) - 1
}

function toMonth(number: number): string {
  return `${String(Math.floor(number / 12)).padStart(4, '0')}-${String((number % 12) + 1).padStart(2, '0')}`
}
