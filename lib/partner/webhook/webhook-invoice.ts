import { isUtf8 } from 'node:buffer'
import { parseOrNull } from '#lib/reconcile/json/parse.ts'
import { isJsonObject } from '#lib/reconcile/json/value.ts'

/**
 * What a webhook's body says: the invoice and its profile. Nothing else in it is believed
 * (assumption 29).
 */
export type InvoiceHint = { serialNumber: string; profileId: string | null }

/**
 * The hint in the body of an `invoice.issued` call (the invoice object without envelope); null if
 * there is none.
 */
export function parseInvoiceHint(body: Uint8Array): InvoiceHint | null {
  const value = isUtf8(body) ? parseOrNull(new TextDecoder().decode(body)) : null
  if (!isJsonObject(value)) return null
  const { serial_number: serialNumber, profile_id: profileId } = value
  // goes into our own query: allow only the characters of serial numbers
  if (typeof serialNumber !== 'string' || !/^[\w./-]{1,100}$/.test(serialNumber)) return null
  const isId = typeof profileId === 'string' && /^[\w-]{1,255}$/.test(profileId)
  return { serialNumber, profileId: isId ? profileId : null }
}
