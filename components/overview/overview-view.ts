import { describeDays } from '#components/filters/filter-scope.ts'
import { describePeriod } from '#components/period/period-words.ts'
import type { LedgerScope } from '#lib/ledger/query/ledger-scope.ts'
import { parseLineQuery } from '#lib/ledger/query/line-query.ts'
import { type RawSearchParams, readValue } from '#lib/ledger/query/search-params.ts'
import type { Day } from '#lib/reconcile/day.ts'
import { findPeriod, type Period, parsePeriod } from '#lib/reconcile/period.ts'

/** What overview shows, as its address has it. */
export type OverviewView = {
  scope: LedgerScope
  /** The scope's days, if they are a period. */
  period: Period | null
  /** Whether the address names other days of issue than whole months; these are shown. */
  isWidened: boolean
  /** Of the chart; null is the one with the most lines. */
  chart: string | null
}

/**
 * Reads overview's address as a list of lines reads its own, so that all pages have one scope. Days
 * of issue are whole months: invoices are counted by these.
 */
export function parseOverviewView(raw: RawSearchParams): OverviewView {
  const { connections, profiles, currencies, from, to, dateField } = parseLineQuery(raw)
  const scope = { connections, profiles, currencies, from, to, dateField }
  const whole = dateField === 'issued' ? { ...scope, from: from && toFirst(from), to: to && toLast(to) } : scope
  return {
    scope: whole,
    period: findPeriod(whole.from, whole.to),
    isWidened: whole.from !== from || whole.to !== to,
    chart: readValue(raw, 'chart'),
  }
}

/** Whether lines alone are shown: an invoice has no day of expense. */
export function isOfLinesOnly({ from, to, dateField }: LedgerScope): boolean {
  return dateField === 'expense' && (from !== null || to !== null)
}

/** The scope's days in few words; null for all time. */
export function describeTime({ scope: { from, to }, period }: OverviewView): string | null {
  return period === null ? describeDays(from, to) : describePeriod(period)
}

function toFirst(day: Day): Day {
  return `${day.slice(0, 8)}01` as Day
}

function toLast(day: Day): Day {
  return parsePeriod(day.slice(0, 7))?.to ?? day
}
