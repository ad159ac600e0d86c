/** What is signed: an invoice, or a month of issue of a profile or of an account. Pure. */
import { type Day, parseDay } from '../day.ts'

type InvoiceScope<Id extends string = string> = { kind: 'invoice'; connectionId: Id; serialNumber: string }

/** A month of issue, `YYYY-MM`. An invoice without a day of issue is in none. */
export type PeriodScope<Id extends string = string> =
  | { kind: 'profile_month'; connectionId: Id; profileId: string; month: string }
  | { kind: 'connection_month'; connectionId: Id; month: string }

export type CloseScope<Id extends string = string> = InvoiceScope<Id> | PeriodScope<Id>

/** Whether it is a month, which can be locked. */
export function isPeriod<Id extends string>(scope: CloseScope<Id>): scope is PeriodScope<Id> {
  return scope.kind !== 'invoice'
}

/** The first day of a month written `YYYY-MM`; null for any other text. */
export function firstDayOf(month: string): Day | null {
  return /^\d{4}-\d{2}$/.test(month) ? parseDay(`${month}-01`) : null
}

/** One text for one scope: names it in the audit, and in a map. */
export function writeScope(scope: CloseScope): string {
  if (scope.kind === 'invoice') return `invoice ${scope.connectionId} ${scope.serialNumber}`
  if (scope.kind === 'connection_month') return `connection_month ${scope.connectionId} ${scope.month}`
  return `profile_month ${scope.connectionId} ${scope.month} ${scope.profileId}`
}
