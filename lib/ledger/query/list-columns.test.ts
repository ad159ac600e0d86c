import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LINE_COLUMN_NAMES } from './line-columns.ts'
import { parseLineQuery, writeLineQuery } from './line-query.ts'
import { COLUMN_WIDTHS, withColumns, withDensity, withoutColumns } from './list-columns.ts'
import { toSearchParams } from './search-params.ts'

const columns = fc.uniqueArray(fc.constantFrom(...LINE_COLUMN_NAMES)).chain((names) =>
  fc.tuple(
    ...names.map((name) =>
      fc.record({
        name: fc.constant(name),
        isPinned: fc.boolean(),
        width: fc.option(fc.integer({ min: COLUMN_WIDTHS.least, max: COLUMN_WIDTHS.most })),
      }),
    ),
  ),
)

const parse = (search: string) => parseLineQuery(toSearchParams(new URLSearchParams(search)))

test('an address says any columns in any order, with their pins and widths', () => {
  fc.assert(
    fc.property(columns, (chosen) => {
      const search = withColumns('q=hotel&sort=-quantity', chosen)
      expect(parse(search).columns).toEqual(chosen)
      expect(parse(writeLineQuery(parse(search))).columns).toEqual(chosen)
      expect(parse(search)).toMatchObject({ text: 'hotel', sort: { key: 'quantity', descending: true } })
    }),
  )
})

test('an address is short, and leaves out what it does not know', () => {
  expect(parse('columns=*description.236,secret,invoice,invoice,total_amount.9999,*').columns).toEqual([
    { name: 'description', isPinned: true, width: 236 },
    { name: 'invoice', isPinned: false, width: null },
    { name: 'total_amount', isPinned: false, width: COLUMN_WIDTHS.most },
  ])
  expect(withColumns('', parse('columns=*description.236,invoice').columns)).toBe('columns=*description.236,invoice')
})

test('a list with other columns or taller rows is the same list', () => {
  const search = withDensity(withColumns('q=a,b', parse('columns=invoice').columns), 'comfortable')
  expect(search).toBe('q=a,b&columns=invoice&density=comfortable')
  expect(withoutColumns(search)).toBe('q=a,b')
})
