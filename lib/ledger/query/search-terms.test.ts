import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseSearch } from './search-terms.ts'

const only = (text: string) => {
  const terms = parseSearch(text)
  expect(terms).toHaveLength(1)
  return terms[0]
}
const range = (from: string | null, to: string | null, withEnds = true) => ({ from, to, withEnds })

test('takes words apart, each once, and keeps a phrase together', () => {
  expect(parseSearch('  paris hotel "adler suite" paris ').map(({ texts }) => texts)).toEqual([
    ['paris'],
    ['hotel'],
    ['adler suite'],
  ])
  expect(parseSearch('')).toEqual([])
  expect(parseSearch('"').map(({ texts }) => texts)).toEqual([['"']])
})

test.each([
  ['>300', [range('300', null, false)]],
  ['> 300', [range('300', null, false)]],
  ['>=12.50', [range('12.50', null)]],
  ['\u2264 12,50', [range(null, '12.50')]],
  ['<1 234,50', [range(null, '1234.50', false)]],
  ['<1,234', [range(null, '1234', false), range(null, '1.234', false)]],
])('reads %s as a comparison that no text answers', (text, ranges) => {
  expect(only(text)).toMatchObject({ texts: [], amounts: [], ranges })
})

test.each([
  ['300-320', [range('300', '320')]],
  ['300 - 320', [range('300', '320')]],
  ['300..320', [range('300', '320')]],
  ['12,50\u201313,75', [range('12.50', '13.75')]],
  ['1 000-1 500', [range('1000', '1500')]],
  // both ends in one way, or the other
  ['1,234-1,300', [range('1234', '1300'), range('1.234', '1.300')]],
])('reads %s as a range, or as a text', (text, ranges) => {
  expect(only(text)).toMatchObject({ ranges })
  expect(only(text)?.texts.join(' ')).toBe(text)
})

test.each(['2026-03', '320-300', '01-2025', '2026-03-04', 'INV-300-320', '300-', '1.2.3-5'])(
  'takes %s for no range',
  (text) => expect(only(text)).toMatchObject({ texts: [text], ranges: [] }),
)

test('reads an amount with blanks as one word among others', () => {
  expect(
    parseSearch('hotel 1 234,50 EUR').map(({ texts, amounts, currency }) => ({ texts, amounts, currency })),
  ).toEqual([
    { texts: ['hotel'], amounts: [], currency: null },
    { texts: ['1', '234,50'], amounts: ['1234.50'], currency: null },
    { texts: ['EUR'], amounts: [], currency: 'EUR' },
  ])
})

test.each([
  ['eur', { currency: 'EUR' }],
  ['euro', { currency: null }],
  ['4242', { cardDigits: '4242', serial: null }],
  ['INV0120250001234', { serial: 'inv0120250001234' }],
  ['inv-0120/25', { serial: 'inv012025' }],
  ['0120250001234', { serial: '0120250001234' }],
  ['20250', { serial: null }],
  ['hotel', { serial: null }],
  ['\u00e9t\u00e91', { serial: null }],
])('also reads %s as what else it can be', (text, meaning) => expect(only(text)).toMatchObject(meaning))

test('reads any text, and no more than twelve words of it', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'12 0.,-<>="\u00e9ab\u00a0+'), maxLength: 60 }), (text) => {
      const terms = parseSearch(text)
      expect(terms.length).toBeLessThanOrEqual(12)
      expect(terms.length === 0).toBe(text.trim() === '')
      for (const { texts, ranges } of terms) expect(texts.length + ranges.length).toBeGreaterThan(0)
    }),
    { seed: 29, numRuns: 3000 },
  )
})
