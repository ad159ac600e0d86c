import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type DecimalText, sumDecimals } from '../money.ts'
import { type TripSum, toTripCost, tripPartOf } from './trip-cost.ts'

const amount = (text: string) => text as DecimalText

test.each([
  ['flight', 'flight', false, 'booking'],
  [null, 'hotel', false, 'booking'],
  ['seat', 'flight', false, 'extra'],
  ['meeting_room', 'other', false, 'extra'],
  ['pro_v2', null, false, 'fee'],
  [null, null, false, 'fee'],
  ['flight', 'flight', true, 'refund'],
  ['pro_v2', null, true, 'refund'],
] as const)('service %s of vertical %s, below zero: %s, is a %s', (service, relatedVertical, isBelowZero, part) => {
  expect(tripPartOf({ service, relatedVertical, isBelowZero })).toBe(part)
})

test('a trip in two currencies has a net for each, after what was given back', () => {
  const sum = (currency: string, relatedVertical: string | null, totalAmount: string): TripSum => ({
    currency,
    service: relatedVertical,
    relatedVertical,
    isBelowZero: totalAmount.startsWith('-'),
    lineCount: 1,
    totalAmount: amount(totalAmount),
  })
  const cost = toTripCost([
    sum('EUR', 'hotel', '300.10'),
    sum('EUR', null, '5'),
    sum('EUR', 'hotel', '-120.05'),
    sum('JPY', 'flight', '41200'),
  ])
  expect(cost.net).toEqual({ EUR: '185.05', JPY: '41200' })
  expect(cost.rows.map(({ part, vertical, amounts }) => [part, vertical, amounts])).toEqual([
    ['booking', 'flight', { JPY: '41200' }],
    ['booking', 'hotel', { EUR: '300.10' }],
    ['fee', null, { EUR: '5' }],
    ['refund', 'hotel', { EUR: '-120.05' }],
  ])
})

const anySum = fc
  .record({
    currency: fc.constantFrom('EUR', 'JPY', 'KWD'),
    service: fc.constantFrom(null, 'flight', 'seat'),
    relatedVertical: fc.constantFrom(null, 'flight', 'hotel'),
    units: fc.integer({ min: -99_999, max: 99_999 }),
    lineCount: fc.integer({ min: 1, max: 9 }),
  })
  .map(
    ({ units, ...rest }): TripSum => ({
      ...rest,
      isBelowZero: units < 0,
      totalAmount: amount((units / 100).toFixed(2)),
    }),
  )

test('whatever a trip has, its rows come to its net in each currency, and have every line once', () => {
  fc.assert(
    fc.property(fc.array(anySum, { maxLength: 30 }), (sums) => {
      const { rows, net, currencies } = toTripCost(sums)
      for (const currency of currencies) {
        const own = rows.flatMap(({ amounts }) => amounts[currency] ?? [])
        expect(Number(sumDecimals(own))).toBe(Number(net[currency]))
      }
      const count = (all: readonly { lineCount: number }[]) => all.reduce((lines, each) => lines + each.lineCount, 0)
      expect(count(rows)).toBe(count(sums))
    }),
  )
})
