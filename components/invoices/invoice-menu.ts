import type { MenuItem } from '#components/primitives/menu-box.client.tsx'
import { readListQuery, toListAddress, withFilters } from '#components/query/list-address.ts'
import type { InvoiceRow } from '#lib/ledger/model.ts'

/**
 * What can be done with an invoice beside opening it.
 * @param search The list's query, as in an address.
 */
export function listInvoiceVerbs({ connectionId, serialNumber, profileId }: InvoiceRow, search: string): MenuItem[] {
  const lines = withFilters(readListQuery('lines', ''), { invoices: [serialNumber], connections: [connectionId] })
  const ofProfile = withFilters(readListQuery('invoices', search), { profiles: [profileId ?? ''] })
  return [
    { label: 'Open its lines', href: toListAddress(lines) },
    { label: 'Only its profile', href: toListAddress(ofProfile) },
    { label: 'Copy its number', isApart: true, choose: () => void navigator.clipboard.writeText(serialNumber) },
  ]
}
