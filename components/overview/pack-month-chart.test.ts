import { expect, test } from 'vitest'
import { toListAddress } from '#components/query/list-address.ts'
import type { MonthTotal } from '#lib/ledger/model.ts'
import { EVERYTHING } from '#lib/ledger/query/ledger-scope.ts'
import { DEFAULT_LINE_QUERY } from '#lib/ledger/query/line-query.ts'
import type { Day } from '#lib/reconcile/day.ts'
import type { DecimalText } from '#lib/reconcile/money.ts'
import { toMonthChart } from './month-chart-data.ts'
import { packMonthChart } from './pack-month-chart.ts'

type Sum = [month: string, vertical: string | null, amount: string]
const OF_ALL = { scope: EVERYTHING, monthsOf: 'expense', isSplit: true } as const

const packOf = (of: Parameters<typeof packMonthChart>[2], ...totals: Sum[]) => {
  const months = totals.map(
    ([month, relatedVertical, amount]): MonthTotal => ({
      month,
      currency: 'EUR',
      relatedVertical,
      totalAmount: amount as DecimalText,
    }),
  )
  return packMonthChart(toMonthChart(months, 'EUR', 12, of.isSplit), 'EUR', of)
}

const pack = (...totals: Sum[]) => packOf(OF_ALL, ...totals)

test('a bar’s address is that of its series in its month, as the lines write it', () => {
  const { address, series, months } = pack(['2026-02', 'a & b', '60.00'], ['2026-02', null, '20.00'])
  const of = { ...DEFAULT_LINE_QUERY, currencies: ['EUR'], months: ['2026-02'] }
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

test('NA8: a bar leads to lines that are in the scope, and nowhere else', () => {
  const days = { from: '2026-09-01' as Day, to: '2026-09-30' as Day, dateField: 'issued' } as const
  const scope = { ...EVERYTHING, ...days, connections: ['c'] }
  const { address, all, months } = packOf({ ...OF_ALL, scope }, ['2026-07', 'rail', '1.00'])
  expect(all).toBe('/lines?connection=c&currency=EUR&period=2026-09')
  expect(months.map((month) => address + month.days)).toEqual([`${all}&month=2026-07`])
  // no roll-up has verticals or days of expense of a profile’s month of issue
  const ofProfiles = { ...scope, profiles: ['p'] }
  const profile = { scope: ofProfiles, monthsOf: 'issue', isSplit: false } as const
  const ofProfile = packOf(profile, ['2026-09', null, '1.00'])
  expect(ofProfile.months.map((month) => ofProfile.address + month.days)).toEqual([
    '/lines?connection=c&currency=EUR&profile=p&period=2026-09',
  ])
})
