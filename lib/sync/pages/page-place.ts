import type { WindowScope } from '../model.ts'
import { isFirstOfMonth, isLastOfMonth } from '../windows/window-range.ts'

/**
 * The key under which a window's pages are known next time; null where pages are not kept. Only
 * lines come byte for byte, and a single invoice is just a page or two. A bound that moves daily
 * becomes `*`, so tomorrow's window has the same key.
 */
export function placeOf({ list, issuedFrom, issuedUpto, invoiceStatus, serialNumber }: WindowScope): string | null {
  if (list !== 'lines' || serialNumber !== null) return null
  const from = issuedFrom === null ? '' : isFirstOfMonth(issuedFrom) ? issuedFrom : '*'
  const upto = issuedUpto === null ? '' : isLastOfMonth(issuedUpto) ? issuedUpto : '*'
  return [invoiceStatus ?? '', from, upto].join(' ')
}
