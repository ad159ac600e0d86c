import { expect, test } from 'vitest'
import { carryScope, findOwn, readKept, withScope, writeKept } from './scope.ts'

const KEPT = 'period=2026-10'
const here = (path: string, search = '') => ({ path, search: new URLSearchParams(search) })

test.each([
  ['from a page without a scope in the one that is kept', '/lines', '/connections', '', '/lines?period=2026-10'],
  ['from overview’s period', '/lines', '/', 'period=2026-Q3', '/lines?period=2026-Q3'],
  ['by way of the changes', '/lines', '/changes', 'period=2026-Q3', '/lines?period=2026-Q3'],
  ['to the changes', '/changes', '/lines', 'period=2026-Q3', '/changes?period=2026-Q3'],
  ['all time, once it was chosen', '/lines', '/', 'period=all', '/lines?period=all'],
  ['not from a link that names no days', '/', '/lines', 'gone=1', '/?period=2026-10'],
  [
    'account, profile and currency, and no other filter',
    '/invoices',
    '/lines',
    'vertical=hotel&currency=EUR&profile=p&connection=c&period=2026-09',
    '/invoices?connection=c&profile=p&currency=EUR&period=2026-09',
  ],
  [
    'days of expense by their name',
    '/groups',
    '/lines',
    'period=2026-09&date=expense',
    '/groups?period=2026-09&date=expense',
  ],
  [
    'days of expense through the invoices, which have none',
    '/lines',
    '/invoices',
    'from=2026-07-02&to=2026-09-05&date=expense',
    '/lines?from=2026-07-02&to=2026-09-05&date=expense',
  ],
  [
    'days that are no period',
    '/groups',
    '/lines',
    'from=2026-07-02&to=2026-07-09',
    '/groups?from=2026-07-02&to=2026-07-09&date=expense',
  ],
  [
    'days of issue from the invoices, where no others are',
    '/lines',
    '/invoices',
    'from=2026-07-02&to=2026-07-09',
    '/lines?from=2026-07-02&to=2026-07-09&date=issued',
  ],
  ['to a page without figures nothing', '/people', '/lines', 'period=2026-09', '/people'],
])('NA2: a link of the frame keeps the scope: %s', (_title, href, path, search, expected) => {
  expect(carryScope(href, here(path, search), KEPT)).toBe(expected)
})

test('an address that says nothing leads to what the person keeps, and any other says what it shows', () => {
  expect(findOwn(here('/lines'), KEPT)).toBe('/lines?period=2026-10')
  expect(findOwn(here('/lines', 'gone=1'), KEPT)).toBeNull()
  expect(findOwn(here('/people'), KEPT)).toBeNull()
  expect(findOwn(here('/lines'), 'period=all')).toBeNull()
})

test('another choice in the bar leaves the rest of the address, but for the place in the list', () => {
  const at = here('/lines', 'vertical=hotel&sort=-total_amount&period=2026-10&currency=EUR&page=3&line=x')
  expect(withScope(at, { period: '2026-09' })).toBe(
    '/lines?vertical=hotel&sort=-total_amount&currency=EUR&period=2026-09',
  )
  expect(withScope(at, { date: 'expense' })).toMatch(/period=2026-10&date=expense$/)
  expect(withScope(at, { currency: null })).not.toContain('currency')
  // without days the address would not be one's choice
  expect(withScope(here('/lines', 'vertical=hotel'), { currency: 'EUR' })).toBe(
    '/lines?vertical=hotel&currency=EUR&period=all',
  )
  expect(withScope(here('/lines', 'from=2026-07-02&to=2026-07-09'), { period: '2026-09' })).toBe(
    '/lines?date=expense&period=2026-09',
  )
})

test('what one person keeps is nobody else’s, and what is no scope is not kept', () => {
  const cookie = decodeURIComponent(writeKept('anna', 'currency=EUR&period=2026-09'))
  expect(readKept(cookie, 'anna')).toBe('currency=EUR&period=2026-09')
  expect(readKept(cookie, 'ben')).toBeNull()
  expect(readKept(undefined, 'anna')).toBeNull()
  expect(readKept('anna currency=EUR', 'anna')).toBeNull()
  expect(readKept('anna period=2026-09&vertical=hotel', 'anna')).toBe('period=2026-09')
})
