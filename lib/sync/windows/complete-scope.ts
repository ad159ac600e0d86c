import type { CompleteScope } from '#lib/ledger/apply/mark-missing.ts'
import type { SyncList } from '../model.ts'
import { isWhole, type ReadWindow } from './window-store.ts'

/**
 * What the run's complete windows cover together. A window of one status says nothing about
 * invoices that left that status.
 */
export function toScope(list: SyncList, windows: readonly ReadWindow[]): CompleteScope {
  const ofList = windows.filter((window) => window.list === list && window.state === 'complete')
  if (ofList.some(isWhole)) return { isAll: true }
  const plain = ofList.filter((window) => window.invoiceStatus === null)
  const byDay = plain.filter((window) => window.serialNumber === null)
  // halves of a list are open at both ends, and their counts add up to the whole
  const isAll = byDay.some((window) => window.issuedFrom === null) && byDay.some((window) => window.issuedUpto === null)
  if (isAll) return { isAll }
  return {
    isAll,
    ranges: byDay.map(({ issuedFrom, issuedUpto }) => ({ from: issuedFrom, upto: issuedUpto })),
    serialNumbers: plain.flatMap(({ serialNumber }) => serialNumber ?? []),
  }
}
