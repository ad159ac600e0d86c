import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  CONNECTION_SHOWS,
  CONNECTION_SORT_KEYS,
  DEFAULT_CONNECTION_QUERY,
  parseConnectionQuery,
  writeConnectionQuery,
} from './connection-query.ts'
import { toSearchParams } from './search-params.ts'

const parse = (search: string) => parseConnectionQuery(toSearchParams(new URLSearchParams(search)))

test('every query reads back as written', () => {
  const query = fc.record({
    text: fc.string({ maxLength: 200 }).map((text) => text.replaceAll('\0', '').trim()),
    show: fc.constantFrom(...CONNECTION_SHOWS),
    sort: fc.record({ key: fc.constantFrom(...CONNECTION_SORT_KEYS), descending: fc.boolean() }),
    page: fc.integer({ min: 1, max: 999 }),
  })
  fc.assert(
    fc.property(query, (each) => {
      expect(parse(writeConnectionQuery(each))).toEqual(each)
    }),
  )
})

test('the default is the bare address, and unknown values count as absent', () => {
  expect(writeConnectionQuery(DEFAULT_CONNECTION_QUERY)).toBe('')
  expect(parse('show=secret&sort=sealed_tokens&page=-1&q=&x=1')).toEqual(DEFAULT_CONNECTION_QUERY)
})
