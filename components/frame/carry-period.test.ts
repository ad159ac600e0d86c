import { expect, test } from 'vitest'
import { carryPeriod } from './carry-period.ts'

test.each([
  ['from a page without a period to the default', '/lines', '/connections', '', '/lines?period=2026-Q4'],
  ['from overview’s period', '/lines', '/', 'period=2026-Q3&currency=EUR', '/lines?period=2026-Q3'],
  ['from all time', '/lines', '/', 'currency=EUR', '/lines'],
  [
    'from a list’s days of issue',
    '/',
    '/lines',
    'from=2026-07-01&to=2026-09-30&date=issued',
    '/?from=2026-07-01&to=2026-09-30&date=issued',
  ],
  [
    'from the invoices, whose days are always of issue',
    '/lines',
    '/invoices',
    'from=2026-07-01&to=2026-09-30',
    '/lines?from=2026-07-01&to=2026-09-30&date=issued',
  ],
  ['days of expense are not kept', '/invoices', '/lines', 'from=2026-07-01&to=2026-09-30', '/invoices'],
  ['days without an end are not kept', '/invoices', '/lines', 'from=2026-07-01&date=issued', '/invoices'],
])('a link of the frame keeps the period: %s', (_title, href, path, search, expected) => {
  expect(carryPeriod(href, { path, search: new URLSearchParams(search), period: '2026-Q4' })).toBe(expected)
})
