/** Joins a path and a query string that may be empty. */
export function toAddress(path: string, search: string): string {
  return search === '' ? path : `${path}?${search}`
}

/** The address of a trip's page. */
export function toTripAddress(id: string): string {
  return `/trips/${encodeURIComponent(id)}`
}

/** The address of an invoice's page. */
export function toInvoiceAddress(connectionId: string, serialNumber: string): string {
  return `/invoices/${encodeURIComponent(connectionId)}/${encodeURIComponent(serialNumber)}`
}
