import { MONTH_NAMES } from '#components/text/month-names.ts'
import type { PartInHand } from '#lib/connections/model.ts'
import { formatDay } from '#lib/reconcile/format.ts'

/**
 * The part of a list being read: `lines issued in March 2026`, `unpaid invoices issued until Oct
 * 15, 2026`.
 */
export function describePart(part: PartInHand): string {
  const { list, invoiceStatus, serialNumber, pass } = part
  const again = pass > 1 ? ', again because the list moved' : ''
  if (serialNumber !== null)
    return `${list === 'lines' ? 'the lines of' : 'the header of'} invoice ${serialNumber}${again}`
  const what =
    invoiceStatus === null ? list : list === 'lines' ? `lines of ${invoiceStatus} invoices` : `${invoiceStatus} ${list}`
  const range = describeRange(part)
  return `${what}${range === null ? '' : ` issued ${range}`}${again}`
}

/** Days of issue, as months where they are whole; null for an open range. */
function describeRange({ issuedFrom, issuedUpto }: Pick<PartInHand, 'issuedFrom' | 'issuedUpto'>): string | null {
  const first = issuedFrom === null ? null : issuedFrom.endsWith('-01') ? toMonth(issuedFrom) : formatDay(issuedFrom)
  const last = issuedUpto === null ? null : isLastDay(issuedUpto) ? toMonth(issuedUpto) : formatDay(issuedUpto)
  if (first === null) return last === null ? null : `until ${last}`
  if (last === null) return `since ${first}`
  if (first === last) return isLastDay(issuedUpto ?? '') ? `in ${first}` : `on ${first}`
  const [month, year] = [first.slice(0, -5), first.slice(-5)]
  return `${/\d,/.test(first + last) ? 'from' : 'in'} ${last.endsWith(year) && !first.includes(',') ? month : first} to ${last}`
}

function toMonth(day: string): string {
  return `${MONTH_NAMES[Number(day.slice(5, 7)) - 1]} ${day.slice(0, 4)}`
}

function isLastDay(day: string): boolean {
  const next = new Date(`${day}T00:00:00Z`)
  next.setUTCDate(next.getUTCDate() + 1)
  return next.getUTCDate() === 1
}
