import { toListAddress } from '#components/query/list-address.ts'
import type { ConnectionId } from '#lib/ids.ts'
import { DEFAULT_INVOICE_QUERY, type InvoiceQuery } from '#lib/ledger/query/invoice-query.ts'
import { DEFAULT_LINE_QUERY } from '#lib/ledger/query/line-query.ts'
import type { Day } from '#lib/reconcile/day.ts'

/**
 * A month of a profile. `profileId` undefined means all profiles, null the invoices without one.
 */
export type CoverageSpot = { connectionId: ConnectionId; profileId?: string | null; month: string }

/** Exactly the invoices that a cell counts. */
export function toInvoicesAddress(spot: CoverageSpot, states: InvoiceQuery['states'] = []): string {
  return toListAddress({ list: 'invoices', query: { ...DEFAULT_INVOICE_QUERY, ...toFilters(spot), states } })
}

/** Exactly the lines of those invoices: lines repeat their invoice's profile and day of issue. */
export function toLinesAddress(spot: CoverageSpot): string {
  return toListAddress({ list: 'lines', query: { ...DEFAULT_LINE_QUERY, ...toFilters(spot), dateField: 'issued' } })
}

function toFilters({ connectionId, profileId, month }: CoverageSpot) {
  const [year, number] = [Number(month.slice(0, 4)), Number(month.slice(5, 7))]
  const lastDay = new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10)
  return {
    connections: [connectionId],
    profiles: profileId === undefined ? [] : [profileId ?? ''],
    from: `${month}-01` as Day,
    to: lastDay as Day,
  }
}
