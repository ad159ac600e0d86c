import { toAddress, toInvoiceAddress } from '#components/query/address.ts'
import type { ConnectionId } from '#lib/ids.ts'
import { LINE_PARAMETER, writeLineKey } from './line-key.ts'

/** A line's panel beside its invoice. */
export function toLineAddress(connectionId: ConnectionId, serialNumber: string, id: string): string {
  const search = new URLSearchParams({ [LINE_PARAMETER]: writeLineKey({ connectionId, id }) })
  return toAddress(toInvoiceAddress(connectionId, serialNumber), search.toString())
}
