import { expect, test } from 'vitest'
import { LISTS, type ListName } from '#components/query/lists.ts'
import { toSearchParams } from '#lib/ledger/query/search-params.ts'
import { listChips } from './filter-chips.ts'
import { type FilterOptions, listFields, toMenu } from './filter-fields.ts'

const labels = (list: ListName) => toMenu(listFields(list)).map(({ label }) => label)

test('begins the menu with findings and dates, and leaves out filters that only a link sets', () => {
  expect(labels('lines')).toEqual([
    'Findings only',
    'Finding',
    'Reason',
    'Review',
    'Date',
    'Connection',
    'Currency',
    'Vertical',
    'Cost center',
    'Trip',
    'Vendor',
    'Traveler',
    'Service',
    'Status',
    'Mode',
    'Profile',
    'Policy',
    'Removed by the platform',
  ])
  expect(labels('groups')).toEqual(labels('lines'))
  expect(labels('invoices')).toEqual([
    'Findings only',
    'Tie-out',
    'Review',
    'Date',
    'Connection',
    'Currency',
    'Status',
    'Mode',
    'Profile',
    'Invoice finding',
    'Credit used',
    'Removed by the platform',
  ])
})

test('names for each filter that is set what to leave out of the address, and only that', () => {
  const search = 'q=hotel&sort=-total_amount&date=issued&currency=EUR&invoice=INV-1&from=2026-01-01&to=2026-01-31'
  const params = new URLSearchParams(`${search}&findings=1&finding=tax`)
  const query = LISTS.lines.query.parse(toSearchParams(params))
  const chips = listChips({ list: 'lines', query }, { trips: [], connections: [] } as unknown as FilterOptions)
  expect(chips.map(({ label, valueText }) => `${label}: ${valueText}`)).toEqual([
    'Issued: Jan 1 to Jan 31, 2026',
    'Currency: EUR',
    'Invoice: INV-1',
    'Finding: Tax differs from its rate',
    'Findings only: ',
  ])
  for (const name of chips.flatMap(({ names }) => names)) params.delete(name)
  expect(params.toString()).toBe('q=hotel&sort=-total_amount')
})
