import { expect, test } from 'vitest'
import { DEFAULT_LINE_SORT, parseLineQuery, writeLineQuery } from './line-query.ts'
import { type Beside, withPlace } from './list-place.ts'
import type { Sort } from './search-params.ts'
import { toSearchParams } from './search-params.ts'

const SEARCH = 'currency=EUR&cost_center=a%2Cb&q=hotel+%26+train&sort=-total_amount&page=7&size=100'
const read = (search: string) => parseLineQuery(toSearchParams(new URLSearchParams(search)))
const after: Beside = { side: 'after', row: { connectionId: 'c', id: 'a~1' } }

test('another place says what the query with that place says', () => {
  const query = read(SEARCH)
  const byTrip: Sort<'trip'> = { key: 'trip', descending: false }
  expect(read(withPlace(SEARCH, {}))).toEqual({ ...query, page: 1 })
  expect(read(withPlace(SEARCH, { page: 3 }))).toEqual({ ...query, page: 3 })
  expect(read(withPlace(SEARCH, { beside: after }))).toEqual({ ...query, page: 1, beside: after })
  expect(read(withPlace(SEARCH, { sort: [byTrip, DEFAULT_LINE_SORT] }))).toEqual({ ...query, sort: byTrip, page: 1 })
})

test('the place and the order that an address does not name are not written', () => {
  const own = withPlace(SEARCH, { sort: [DEFAULT_LINE_SORT, DEFAULT_LINE_SORT] })
  expect(own).toBe('currency=EUR&cost_center=a,b&q=hotel+%26+train&size=100')
  expect(writeLineQuery(read(own))).toBe(own)
})
