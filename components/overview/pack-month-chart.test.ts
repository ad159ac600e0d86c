import { expect, test } from 'vitest'
import { toListAddress } from '#components/query/list-address.ts'
import type { MonthTotal } from '#lib/ledger/model.ts'
import { DEFAULT_LINE_QUERY } from '#lib/ledger/query/line-query.ts'
import type { Day } from '#lib/reconcile/day.ts'
import type { DecimalText } from '#lib/reconcile/money.ts'
import { toMonthChart } from './month-chart-data.ts'
import { packMonthChart } from './pack-month-chart.ts'

const pack = (...totals: [month: string, vertical: string | null, amount: string][]) => {
  const months = totals.map(
    ([month, relatedVertical, amount]): MonthTotal => ({
      month,
      currency: 'EUR',
      relatedVertical,
      totalAmount: amount as DecimalText,
    }),
  )
  return packMonthChart(toMonthChart(months, 'EUR', 12), 'EUR')
}

test('a bar’s address is that of its series with the days of its month, as the lines write it', () => {
  const { address, series, months } = pack(['2026-02', 'a & b', '60.00'], ['2026-02', null, '20.00'])
  const of = { ...DEFAULT_LINE_QUERY, currencies: ['EUR'], from: '2026-02-01' as Day, to: '2026-02-28' as Day }
  const toAddress = (verticals: string[]) => toListAddress({ list: 'lines', query: { ...of, verticals } })
  const [{ days } = { days: '' }] = months
  expect(address + days).toBe(toAddress([]))
  expect(series.map((each) => each.address + days)).toEqual([toAddress(['a & b']), toAddress([''])])
})

test('a figure that is not shown whole comes with every digit, and a month without a series has none', () => {
  const { months } = pack(['2026-01', 'car', '10.005'], ['2026-02', 'car', '-3.00'], ['2026-02', 'bus', '3.00'])
  expect(months.map(({ parts }) => parts.map((part) => part?.[1]))).toEqual([
    ['10.005', undefined],
    [null, null],
  ])
  expect(months.map(({ mark, units }) => [mark, units])).toEqual([
    [null, '10'],
    [Math.round((3 / 13.005) * 10_000) / 100, '0'],
  ])
})
