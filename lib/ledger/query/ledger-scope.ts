/** Which invoices and lines a page of figures is about. Pure. */
import { DEFAULT_LINE_QUERY, type LineFilters } from './line-query.ts'

/**
 * Invoices and lines of some days, connections, profiles and currencies, or all of them. An invoice
 * has no day of expense: of days of expense there are lines alone.
 */
export type LedgerScope = Pick<LineFilters, 'connections' | 'profiles' | 'currencies' | 'from' | 'to' | 'dateField'>

/** What of a query says what it is about. */
export function toScope(query: LedgerScope): LedgerScope {
  return {
    connections: query.connections,
    profiles: query.profiles,
    currencies: query.currencies,
    from: query.from,
    to: query.to,
    dateField: query.dateField,
  }
}

export const EVERYTHING: LedgerScope = toScope(DEFAULT_LINE_QUERY)

/** Whether nothing is outside. */
export function isEverything(scope: LedgerScope): boolean {
  const { connections: accounts, profiles: people, currencies: codes } = scope
  return accounts.length + people.length + codes.length === 0 && scope.from === null && scope.to === null
}
