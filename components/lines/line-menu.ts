import type { MenuItem } from '#components/primitives/menu-box.client.tsx'
import { toInvoiceAddress, toTripAddress } from '#components/query/address.ts'
import { type FilterValues, readListQuery, toListAddress, withFilters } from '#components/query/list-address.ts'
import type { LineRow } from '#lib/ledger/model.ts'

/**
 * What can be done with a line beside opening it: its invoice, and lines that share something with
 * it among those of the list.
 * @param search The list's query, as in an address; empty for all lines.
 */
export function listLineVerbs(line: LineRow, search: string): MenuItem[] {
  const only = (label: string, patch: Partial<FilterValues>): MenuItem => ({
    label,
    href: toListAddress(withFilters(readListQuery('lines', search), patch)),
  })
  return [
    { label: 'Open its invoice', href: toInvoiceAddress(line.connectionId, line.invoiceSerialNumber) },
    ...(line.tripId === null ? [] : [{ label: 'Open its trip', href: toTripAddress(line.tripId) }]),
    only('Only its trip', { trips: [line.tripId ?? ''] }),
    only('Only its cost center', { costCenters: [line.costCenter ?? ''] }),
    only('Only its vertical', { verticals: [line.relatedVertical ?? ''] }),
    only('Only its invoice', { invoices: [line.invoiceSerialNumber], connections: [line.connectionId] }),
    { label: 'Copy its id', isApart: true, choose: () => void navigator.clipboard.writeText(line.id) },
  ]
}
