import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Day, dayOf } from './day.ts'
import { findPeriod, listUsualPeriods, type Period, parsePeriod, periodAfter, periodBefore } from './period.ts'

const DAY_MS = 86_400_000
const anyDay = fc.integer({ min: -20_000, max: 40_000 }).map((days) => dayOf(days * DAY_MS))

test.each([
  ['2026', '2026-01-01', '2026-12-31', '2025'],
  ['2026-Q1', '2026-01-01', '2026-03-31', '2025-Q4'],
  ['2026-Q4', '2026-10-01', '2026-12-31', '2026-Q3'],
  ['2024-02', '2024-02-01', '2024-02-29', '2024-01'],
  ['2026-01', '2026-01-01', '2026-01-31', '2025-12'],
  ['FY2026-04', '2026-04-01', '2027-03-31', 'FY2025-04'],
])('%s is from %s to %s, after %s', (text, from, to, before) => {
  const period = parsePeriod(text) as Period
  expect(period).toMatchObject({ text, from, to })
  expect(periodBefore(period).text).toBe(before)
  expect(periodAfter(periodBefore(period))).toEqual(period)
  expect(findPeriod(from as Day, to as Day)).toEqual(period)
})

test('days that are no period are none, and neither is a span without an end', () => {
  expect(findPeriod('2026-10-01' as Day, '2026-12-30' as Day)).toBeNull()
  expect(findPeriod('2026-10-02' as Day, '2026-12-31' as Day)).toBeNull()
  expect(findPeriod('2026-10-01' as Day, null)).toBeNull()
})

test.each([
  ['2026-03-31', 'FY2025-04'],
  ['2026-04-01', 'FY2026-04'],
])('on %s the fiscal year from April on is %s', (today, text) => {
  const usual = listUsualPeriods(today as Day, 4).map((period) => period.text)
  expect(usual.slice(6)).toEqual([text, `FY${Number(text.slice(2, 6)) - 1}-04`])
  expect(listUsualPeriods(today as Day)).toHaveLength(6)
})

test.each(['', '26', '2026-Q5', '2026-13', '2026-00', '2026-1', '0001', '2026-Q4 ', 'all', 'FY2026', 'FY2026-13'])(
  '%j is no period',
  (text) => {
    expect(parsePeriod(text)).toBeNull()
  },
)

test('usual periods hold today or end right before one that does, and read back as they are written', () => {
  fc.assert(
    fc.property(anyDay, (today) => {
      const periods = listUsualPeriods(today)
      for (const period of periods) expect(parsePeriod(period.text)).toEqual(period)
      const [thisMonth, lastMonth, thisQuarter, lastQuarter, thisYear, lastYear] = periods
      for (const current of [thisMonth, thisQuarter, thisYear]) {
        expect(current && current.from <= today && today <= current.to).toBe(true)
      }
      for (const [last, current] of [
        [lastMonth, thisMonth],
        [lastQuarter, thisQuarter],
        [lastYear, thisYear],
      ])
        expect(dayOf(Date.parse(last?.to ?? '') + DAY_MS)).toBe(current?.from)
    }),
  )
})
