import { expect, test } from 'vitest'
import type { ConnectionId } from '#lib/ids.ts'
import type { CurrencyTieOut, FindingTotal } from '#lib/ledger/model.ts'
import { decimal } from '#lib/ledger/test-support/seed.ts'
import type { Day } from '#lib/reconcile/day.ts'
import { describeOutside } from './outside.ts'

const toFinding = (currency: string, lineCount: number, over: string, under = '0'): FindingTotal => ({
  outcome: 'unexplained',
  currency,
  lineCount,
  overcharged: decimal(over),
  undercharged: decimal(under),
})

const toOpen = (serialNumber: string, unexplained: string) => ({
  connectionId: 'c' as ConnectionId,
  serialNumber,
  unexplained: decimal(unexplained),
  isFinding: true,
  isDecided: false,
})

const none = { findings: [], gone: { since: '2026-11-16' as Day, totals: [], invoices: [] }, rejectedCount: 0 }
const toTieOut = (...openInvoices: ReturnType<typeof toOpen>[]) => ({
  currencies: [{ currency: 'JPY', openInvoices } as unknown as CurrencyTieOut],
  findings: [],
})

test('NA1: what lies outside is said part by part with its money, and what is within is not in it', () => {
  const all = {
    ...none,
    findings: [toFinding('EUR', 10, '52.22', '3.00'), toFinding('JPY', 2, '110')],
    rejectedCount: 3,
    tieOut: toTieOut(toOpen('INV-1', '-5500'), toOpen('INV-2', '2200')),
  }
  const within = {
    ...none,
    findings: [toFinding('EUR', 2, '0.22', '3.00'), toFinding('JPY', 2, '110')],
    rejectedCount: 1,
    tieOut: toTieOut(toOpen('INV-2', '2200')),
  }
  expect(describeOutside(all, within)).toEqual([
    '8 lines unexplained, EUR 52.00',
    '1 invoice not tied out, JPY 5,500',
    '2 records not imported',
  ])
  expect(describeOutside(all, all)).toEqual([])
})
