import { expect, test } from 'vitest'
import type { PartInHand } from '#lib/connections/model.ts'
import { describePart } from './part-words.ts'

const whole: PartInHand = {
  list: 'lines',
  issuedFrom: null,
  issuedUpto: null,
  invoiceStatus: null,
  serialNumber: null,
  pass: 1,
}

test.each<[Partial<PartInHand>, string]>([
  [{}, 'lines'],
  [{ issuedFrom: '2026-03-01', issuedUpto: '2026-03-31' }, 'lines issued in March 2026'],
  [{ issuedFrom: '2026-03-01', issuedUpto: '2026-05-31' }, 'lines issued in March to May 2026'],
  [{ issuedFrom: '2025-12-01', issuedUpto: '2026-02-28' }, 'lines issued in December 2025 to February 2026'],
  [{ issuedFrom: '2026-06-01' }, 'lines issued since June 2026'],
  [{ issuedUpto: '2024-02-29' }, 'lines issued until February 2024'],
  [{ list: 'invoices', issuedFrom: '2026-10-16' }, 'invoices issued since Oct 16, 2026'],
  [
    { list: 'invoices', issuedUpto: '2026-10-15', invoiceStatus: 'unpaid' },
    'unpaid invoices issued until Oct 15, 2026',
  ],
  [{ invoiceStatus: 'open', issuedUpto: '2026-10-15' }, 'lines of open invoices issued until Oct 15, 2026'],
  [{ issuedFrom: '2026-03-05', issuedUpto: '2026-03-31' }, 'lines issued from Mar 5, 2026 to March 2026'],
  [{ serialNumber: 'INV-1', pass: 2 }, 'the lines of invoice INV-1, again because the list moved'],
])('names a part by the days of issue it holds: %j', (change, text) => {
  expect(describePart({ ...whole, ...change })).toBe(text)
})
