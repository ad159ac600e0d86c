import { expect, test } from 'vitest'
import { toSavedAddress, toSavedSearch } from './saved-address.ts'

const ID = '11111111-2222-4333-8444-555555555555'

test('a view keeps filters, order, keys and page size, and neither a place nor what it came from', () => {
  const shown = `q=hotel&currency=eur&sort=-quantity&size=100&page=7&after=${ID}~line-1&view=${ID}.3&line=x`
  expect(toSavedSearch('lines', shown)).toBe('currency=EUR&q=hotel&sort=-quantity&size=100')
  expect(toSavedSearch('groups', 'by=vertical,trip&page=2&sort=-total')).toBe('by=vertical,trip&sort=-total')
})

test('two addresses that show the same are saved as the same text', () => {
  const [one, other] = ['trip=2&q=a%20b&page=1&unknown=x', 'q=a+b&trip=2'].map((each) => toSavedSearch('lines', each))
  expect(one).toBe(other)
  expect(toSavedSearch('invoices', 'period=all')).toBe(toSavedSearch('invoices', ''))
})

test('a view is opened by an address that shows it and names it, even if it shows everything', () => {
  const address = toSavedAddress('lines', { search: 'vertical=hotel', id: ID, version: 2 })
  expect(address).toBe(`/lines?vertical=hotel&view=${ID}.2`)
  expect(toSavedSearch('lines', address.slice('/lines?'.length))).toBe('vertical=hotel')
  expect(toSavedAddress('groups', { search: '', id: ID, version: 1 })).toBe(`/groups?view=${ID}.1`)
})
