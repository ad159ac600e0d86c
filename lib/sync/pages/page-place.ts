import type { WindowScope } from '../model.ts'
import { isFirstOfMonth, isLastOfMonth } from '../windows/window-range.ts'

/**
 * Where pages of a window are looked up when it is read again; null where pages are not kept: only
 * lines come byte for byte, and an invoice of its own is a page or two. A bound that moves from day
 * to day is left out, so that tomorrow's window is the same place.
 */
export function placeOf({ list, issuedFrom, issuedUpto, invoiceStatus, serialNumber }: WindowScope): string | null {
  if (list !== 'lines' || serialNumber !== null) return null
  const from = issuedFrom === null ? '' : isFirstOfMonth(issuedFrom) ? issuedFrom : '*'
  const upto = issuedUpto === null ? '' : isLastOfMonth(issuedUpto) ? issuedUpto : '*'
  return [invoiceStatus ?? '', from, upto].join(' ')
}
