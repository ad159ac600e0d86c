import { expect, test } from 'vitest'
import type { Day } from '#lib/reconcile/day.ts'
import { listDatePresets } from './date-presets.ts'
import type { FilterOptions } from './filter-fields.ts'
import { describeDays, describeScope } from './filter-scope.ts'

const options: FilterOptions = {
  connections: [
    { value: 'a', name: 'Nordlicht GmbH' },
    { value: 'b', name: null },
  ],
  currencies: [],
  verticals: [],
  services: [],
  statuses: [],
  modes: [],
  profiles: [],
  costCenters: [],
  trips: [],
}
const day = (text: string) => text as Day

test.each([
  [null, null, null],
  ['2026-01-01', '2026-03-31', 'Jan 1 to Mar 31, 2026'],
  ['2025-12-01', '2026-03-31', 'Dec 1, 2025 to Mar 31, 2026'],
  ['2026-01-01', null, 'from Jan 1, 2026'],
  [null, '2026-03-31', 'to Mar 31, 2026'],
  ['2026-03-31', '2026-03-31', 'Mar 31, 2026'],
])('describes the days from %s to %s as "%s"', (from, to, text) => {
  expect(describeDays(from === null ? null : day(from), to === null ? null : day(to))).toBe(text)
})

test('names the connections and the kind of date', () => {
  expect(describeScope({}, options, 'lines')).toBe('All connections')
  expect(
    describeScope({ connections: ['a', 'gone'], dateField: 'issued', from: day('2026-01-01') }, options, 'lines'),
  ).toBe('Nordlicht GmbH and gone, issued from Jan 1, 2026')
})

test('recognizes months and quarters, also across a year', () => {
  const presets = Object.fromEntries(listDatePresets(2024, 2).map(({ label, from, to }) => [label, `${from} ${to}`]))
  expect(presets['This month']).toBe('2024-02-01 2024-02-29')
  expect(presets['Last quarter']).toBe('2023-10-01 2023-12-31')
  expect(presets['Last month']).toBe('2024-01-01 2024-01-31')
})
