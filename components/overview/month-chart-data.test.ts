import { expect, test } from 'vitest'
import type { MonthTotal } from '#lib/ledger/model.ts'
import type { DecimalText } from '#lib/reconcile/money.ts'
import { listVerticals, toMonthColumns } from './month-chart-data.ts'

const total = (month: string, relatedVertical: string | null, amount: string, currency = 'EUR'): MonthTotal => ({
  month,
  currency,
  relatedVertical,
  totalAmount: amount as DecimalText,
})

test('measures every month against the tallest one of its currency', () => {
  const months = [
    total('2026-01', 'flight', '25.00'),
    total('2026-02', 'flight', '60.00'),
    total('2026-02', null, '40.00'),
    total('2026-02', 'flight', '9000', 'JPY'),
  ]
  const columns = toMonthColumns(months, 'EUR', 12)
  expect(columns.map(({ label, from, to }) => [label, from, to])).toEqual([
    ['Jan 26', '2026-01-01', '2026-01-31'],
    ['Feb 26', '2026-02-01', '2026-02-28'],
  ])
  expect(columns[1]?.segments.map((segment) => segment.heightPercent)).toEqual([60, 40])
  expect(columns[0]?.segments[0]?.heightPercent).toBe(25)
  expect(listVerticals(columns)).toEqual(['flight', null])
})

test('keeps the newest months and draws no bar below zero', () => {
  const months = [total('2025-12', 'car', '1'), total('2026-01', 'car', '-5.00')]
  expect(toMonthColumns(months, 'EUR', 1)).toMatchObject([
    { month: '2026-01', segments: [{ amount: '-5.00', heightPercent: 0 }] },
  ])
})
