import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseDay } from './day.ts'

test.each([
  '2026-02-29',
  '2026-13-01',
  '2026-00-10',
  '2026-04-31',
  '0000-01-01',
  '2026-3-4',
  '2026-03-04T00:00:00Z',
  ' 2026-03-04',
  '',
])('refuses %j', (text) => {
  expect(parseDay(text)).toBeNull()
})

test('F15: knows leap days', () => {
  expect(parseDay('2024-02-29')).toBe('2024-02-29')
  expect(parseDay('2000-02-29')).toBe('2000-02-29')
  expect(parseDay('1900-02-29')).toBeNull()
})

test('accepts exactly the days the calendar has', () => {
  const anyDay = fc.tuple(
    fc.integer({ min: 1, max: 9999 }),
    fc.integer({ min: 0, max: 14 }),
    fc.integer({ min: 0, max: 32 }),
  )
  fc.assert(
    fc.property(anyDay, ([year, month, day]) => {
      const text = `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
      const date = new Date(`${text}T00:00:00Z`)
      const isReal = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
      expect(parseDay(text)).toBe(isReal ? text : null)
    }),
  )
})
