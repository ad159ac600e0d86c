import { expect, test } from 'vitest'
import { toSearchedAmounts, withBothSigns } from './amount-search.ts'

test.each([
  ['314.80', ['314.80']],
  ['314,80', ['314.80']],
  ['-314.80', ['314.80']],
  ['\u2212314,80', ['314.80']],
  ['+ 5', ['5']],
  ['1.234,50', ['1234.50']],
  ['1,234.50', ['1234.50']],
  ['1 234,50', ['1234.50']],
  ["1'234.50", ['1234.50']],
  ['1\u202f234\u202f567,8', ['1234567.8']],
  ['1,234,567', ['1234567']],
  ['1,234', ['1234', '1.234']],
  ['1.234', ['1.234', '1234']],
  ['.5', ['0.5']],
  ['48700', ['48700']],
  ['0', ['0']],
  ['9007199254740993.01', ['9007199254740993.01']],
])('reads %s as an amount in every possible meaning', (text, amounts) => {
  expect(toSearchedAmounts(text)).toEqual(amounts)
})

test.each([
  '',
  '-',
  'abc',
  '12a',
  '1,23,456.7',
  '1.2.3',
  '1e5',
  '0x10',
  'NaN',
  '2026-03-04',
  '9'.repeat(80),
  '1.',
  ', 5',
])('does not take %j for an amount', (text) => expect(toSearchedAmounts(text)).toEqual([]))

test('searches for both signs, and for zero once', () => {
  expect(withBothSigns(toSearchedAmounts('12,50'))).toEqual(['12.50', '-12.50'])
  expect(withBothSigns(toSearchedAmounts('0'))).toEqual(['0'])
})
