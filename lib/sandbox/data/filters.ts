import type { ListFilter, StoredInvoice } from './model.ts'
import { scalarText } from './wire/json.ts'

/** True when an invoice passes the filter's invoice-level rules. */
export function invoicePasses(invoice: Pick<StoredInvoice, 'serialNumber' | 'header'>, filter: ListFilter): boolean {
  const { header, serialNumber } = invoice
  if (filter.serialNumber !== undefined && serialNumber !== filter.serialNumber) return false
  if (filter.serialNumberContains !== undefined && !serialNumber.includes(filter.serialNumberContains)) return false
  if (filter.profileId !== undefined && header.profile_id !== filter.profileId) return false
  if (filter.billingPeriod !== undefined && header.billing_period !== filter.billingPeriod) return false
  if (filter.status !== undefined && header.status !== filter.status) return false
  if (!dayWithin(scalarText(header.issuing_date), filter.issuingDateFrom, filter.issuingDateTo)) return false
  return dayWithin(scalarText(header.due_date), filter.dueDateFrom, filter.dueDateTo)
}

/** True when a line's expense date lies inside the filter's range. */
export function expenseDatePasses(expenseDate: string | null, filter: ListFilter): boolean {
  return dayWithin(expenseDate, filter.expenseDateFrom, filter.expenseDateTo)
}

/** True when the filter has a rule on the line itself, not only on its invoice. */
export function filtersLines(filter: ListFilter): boolean {
  return filter.expenseDateFrom !== undefined || filter.expenseDateTo !== undefined
}

function dayWithin(day: string | null, from: string | undefined, to: string | undefined): boolean {
  if (from === undefined && to === undefined) return true
  if (day === null) return false
  return (from === undefined || day >= from) && (to === undefined || day <= to)
}
