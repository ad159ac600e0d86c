import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { MonthTotal } from '#lib/ledger/model.ts'
import { type DecimalText, sumDecimals } from '#lib/reconcile/money.ts'
import { toMonthChart } from './month-chart-data.ts'

const total = (month: string, relatedVertical: string | null, amount: string, currency = 'EUR'): MonthTotal => ({
  month,
  currency,
  relatedVertical,
  totalAmount: amount as DecimalText,
})

test('measures every month of a currency by one scale, charges above the line and credits below it', () => {
  const { columns, zeroPercent, series } = toMonthChart(
    [
      total('2026-01', 'flight', '25.00'),
      total('2026-02', 'flight', '60.00'),
      total('2026-02', null, '20.00'),
      total('2026-03', 'flight', '40.00'),
      total('2026-03', null, '-20.00'),
      total('2026-02', 'flight', '9000', 'JPY'),
    ],
    'EUR',
    12,
  )
  expect(zeroPercent).toBe(20)
  expect(series.map(({ label }) => label)).toEqual(['flight', 'no vertical'])
  expect(columns.map(({ label, month, net, netPercent }) => [label, month, net, netPercent])).toEqual([
    ['Jan 26', '2026-01', '25.00', 45],
    ['Feb 26', '2026-02', '80.00', 100],
    ['Mar 26', '2026-03', '20.00', 40],
  ])
  expect(columns.map(({ hasCredits }) => hasCredits)).toEqual([false, false, true])
  const places = columns.map(({ parts }) => parts.map((part) => [part.bottomPercent, part.heightPercent]))
  expect(places).toEqual([
    [[20, 25]],
    [
      [20, 60],
      [80, 20],
    ],
    [
      [20, 40],
      [0, 20],
    ],
  ])
})

test('draws the five largest verticals one by one and all others as one, and the parts are the net', () => {
  const names = ['flight', 'hotel', 'train', 'car', 'ferry', 'bus', null]
  const months = names.map((name, at) => total('2026-01', name, `${at % 2 === 0 ? '' : '-'}${100 - at * 10}.01`))
  const { series, columns } = toMonthChart(months, 'EUR', 12)
  expect(series.map(({ label }) => label)).toEqual(['flight', 'hotel', 'train', 'car', 'ferry', '2 others'])
  expect(series.at(-1)?.verticals).toEqual(['bus', null])
  expect(columns[0]?.net).toBe(sumDecimals(months.map(({ totalAmount }) => totalAmount)))
  expect(sumDecimals(columns[0]?.parts.map(({ amount }) => amount) ?? [])).toBe(columns[0]?.net)
})

test('a sixth vertical has its own name: “1 others” would hide it', () => {
  const months = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => total('2026-01', name, '1'))
  expect(toMonthChart(months, 'EUR', 12).series.map(({ label }) => label)).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
})

test('a month without any amount has no bar', () => {
  expect(toMonthChart([total('2026-01', 'car', '0.00')], 'EUR', 1)).toMatchObject({
    zeroPercent: 0,
    columns: [{ month: '2026-01', net: '0.00', netPercent: 0, parts: [{ heightPercent: 0 }] }],
  })
})

test('NA8: months that there is no room for stand first as one, so columns and series add up to all lines', () => {
  const months = [
    total('2025-11', 'rail', '2534.19'),
    total('2025-12', 'car', '1.00'),
    total('2026-01', 'car', '0.50'),
    total('2026-02', 'rail', '-4.00'),
  ]
  const { columns, series, totals, net } = toMonthChart(months, 'EUR', 2)
  expect(columns.map((column) => [column.label, column.month, column.net])).toEqual([
    ['Earlier', 'before 2026-01', '2535.19'],
    ['Jan 26', '2026-01', '0.50'],
    ['Feb 26', '2026-02', '-4.00'],
  ])
  expect(series.map(({ label }, place) => [label, totals[place]])).toEqual([
    ['rail', '2530.19'],
    ['car', '1.50'],
  ])
  expect(net).toBe('2531.69')
  expect(sumDecimals(columns.map((column) => column.net))).toBe(net)
  expect(sumDecimals(totals)).toBe(net)
})

test('without verticals the chart has one bar a month, of all lines', () => {
  const { series, columns } = toMonthChart([total('2026-01', null, '5.00')], 'EUR', 12, false)
  expect(series.map(({ label }) => label)).toEqual(['all lines'])
  expect(columns[0]?.parts.map(({ amount }) => amount)).toEqual(['5.00'])
})

test('every bar stands out from the page at three to one, in the light and in the dark', () => {
  const css = readFileSync(new URL('../../app/globals.css', import.meta.url), 'utf8')
  const readPair = (name: string) => {
    const [, light, dark] = css.match(new RegExp(`--${name}: light-dark\\((#\\w+), (#\\w+)\\)`)) ?? []
    return [light, dark] as [string, string]
  }
  const page = readPair('bg')
  for (let bar = 1; bar <= 6; bar++)
    for (const [at, color] of readPair(`bar${bar}`).entries())
      expect(toContrast(color, page[at] as string), `bar ${bar}, ${color}`).toBeGreaterThanOrEqual(3)
})

/** WCAG 2.2, contrast ratio. */
function toContrast(a: string, b: string): number {
  const [light = 0, dark = 0] = [toLuminance(a), toLuminance(b)].sort((x, y) => y - x)
  return (light + 0.05) / (dark + 0.05)
}

function toLuminance(color: string): number {
  const hex = color.length === 4 ? color.replace(/\w/g, '$&$&') : color
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

test('a vertical has one color in every currency, whatever its rank, and no two share one', () => {
  const ranks = [
    ['flight', 'hotel', 'train', 'car', 'insurance', null, 'ferry'],
    ['ferry', 'insurance', 'hotel', null, 'flight'],
    ['other', 'hotel'],
  ]
  const charts = ranks.map((names) =>
    toMonthChart(
      names.map((name, at) => total('2026-01', name, `${100 - at}`)),
      'EUR',
      12,
    ),
  )
  const hotel = charts.map(({ series }) => series.find(({ label }) => label === 'hotel')?.tone)
  expect(new Set(hotel).size).toBe(1)
  for (const { series } of charts) expect(new Set(series.map(({ tone }) => tone)).size).toBe(series.length)
})
