import fc from 'fast-check'
import { expect, test } from 'vitest'
import { packRows, unpackRows } from './packed-rows.ts'

const value = fc.oneof(
  fc.string(),
  fc.constantFrom('EUR', '0.00', ''),
  fc.constant(null),
  fc.array(fc.string()),
  fc.nat(),
)

test('unpacks the rows that were packed, also after a way as JSON', () => {
  fc.assert(
    fc.property(fc.array(fc.record({ id: value, currency: value, codes: value })), (rows) => {
      expect(unpackRows(JSON.parse(JSON.stringify(packRows(rows))))).toEqual(rows)
    }),
  )
})

test('sends each value and each name once', () => {
  const rows = Array.from({ length: 50 }, (_, id) => ({ id, currency: 'EUR', codes: ['total'] }))
  const { fields, values, cells } = packRows(rows)
  expect(fields).toEqual(['id', 'currency', 'codes'])
  expect(values).toHaveLength(52)
  expect(cells.slice(0, 11)).toBe('.,.,.,.,,,.')
})
