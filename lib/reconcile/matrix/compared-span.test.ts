import { expect, test } from 'vitest'
import type { Day } from '../day.ts'
import { type Comparison, toComparedSpan } from './compared-span.ts'

test.each<[Comparison, string, string, string | null]>([
  ['before', '2026-07-01', '2026-09-30', '2026-04-01 2026-06-30'],
  ['before', '2026-03-01', '2026-03-31', '2026-02-01 2026-02-28'],
  ['before', '2026-04-01', '2027-03-31', '2025-04-01 2026-03-31'],
  ['before', '2026-03-05', '2026-03-11', '2026-02-26 2026-03-04'],
  ['before', '2026-03-05', '2026-03-05', '2026-03-04 2026-03-04'],
  ['year', '2024-02-01', '2024-02-29', '2023-02-01 2023-02-28'],
  ['year', '2025-02-01', '2025-02-28', '2024-02-01 2024-02-29'],
  ['year', '2024-02-10', '2024-02-29', '2023-02-10 2023-02-28'],
  ['year', '2026-07-01', '2026-09-30', '2025-07-01 2025-09-30'],
  ['year', '2026-04-01', '2027-03-31', '2025-04-01 2026-03-31'],
  ['none', '2026-07-01', '2026-09-30', null],
  ['before', '2026-09-30', '2026-07-01', null],
  ['before', '0001-01-01', '0001-01-31', null],
  ['year', '0001-01-05', '0001-01-31', null],
])('%s: %s to %s is compared with %s', (comparison, from, to, expected) => {
  const span = toComparedSpan(from as Day, to as Day, comparison)
  expect(span === null ? null : `${span.from} ${span.to}`).toBe(expected)
})

test('an open span has nothing before it', () => {
  expect(toComparedSpan(null, '2026-03-31' as Day, 'before')).toBeNull()
  expect(toComparedSpan('2026-03-31' as Day, null, 'year')).toBeNull()
})
