import { expect, test } from 'vitest'
import { listCleared, toListAddress, withFilters } from '#components/query/list-address.ts'
import { LISTS, type ListName } from '#components/query/lists.ts'
import { listFields, toMenu } from './filter-fields.ts'

const labels = (list: ListName) => toMenu(listFields(list)).map(({ label }) => label)

test('begins the menu with findings and dates, and leaves out filters that only a link sets', () => {
  expect(labels('lines')).toEqual([
    'Findings only',
    'Finding',
    'Reason',
    'Date',
    'Connection',
    'Currency',
    'Vertical',
    'Cost center',
    'Trip',
    'Service',
    'Status',
    'Mode',
    'Profile',
    'Removed by the platform',
  ])
  expect(labels('groups')).toEqual(labels('lines'))
  expect(labels('invoices')).toEqual([
    'Findings only',
    'Completeness',
    'Date',
    'Connection',
    'Currency',
    'Status',
    'Mode',
    'Profile',
    'Invoice finding',
    'Credit used',
  ])
})

test('keeps the search, the order and the kind of date when the filters are cleared', () => {
  const query = LISTS.lines.query.parse({
    q: 'hotel',
    sort: '-total_amount',
    date: 'issued',
    currency: 'EUR',
    invoice: 'INV-1',
    from: '2026-01-01',
    to: '2026-01-31',
    findings: '1',
    finding: 'tax',
  })
  expect(toListAddress(withFilters({ list: 'lines', query }, listCleared('lines')))).toBe(
    '/lines?date=issued&q=hotel&sort=-total_amount',
  )
})
