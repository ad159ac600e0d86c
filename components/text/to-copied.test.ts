import { expect, test } from 'vitest'
import { formatAmount } from '#lib/reconcile/format.ts'
import { type Formats, NUMBER_FORMATS, type NumberFormat } from '#lib/reconcile/formats.ts'
import type { DecimalText } from '#lib/reconcile/money.ts'
import { withFormats } from '#lib/reconcile/test-support/test-formats.ts'
import { toCopied } from './to-copied.ts'

test.each(Object.keys(NUMBER_FORMATS) as NumberFormat[])(
  'a figure of the format %s is copied as a number of its reader’s spreadsheet',
  (number) => {
    const formats: Formats = { number, date: 'points', timeZone: 'UTC' }
    const copied = withFormats(formats, () => toCopied(formatAmount('-1112078.92' as DecimalText, 'EUR')))
    const { decimal } = NUMBER_FORMATS[number]
    expect(copied).toBe(`-1112078${decimal}92`)
  },
)

test('words and other people’s apostrophes are copied as they are', () => {
  expect(toCopied('L’Été, 3\u202f% of 1 200')).toBe('L’Été, 3\u202f% of 1 200')
})

test('of several cells each figure loses its groups; days, ids and words keep their points', () => {
  const formats: Formats = { number: 'point-comma', date: 'points', timeZone: 'UTC' }
  const cells = '26.11.2026\t1.234,50 EUR\tRoom 1.200\n1.284\t12.34'
  expect(withFormats(formats, () => toCopied(cells))).toBe('26.11.2026\t1234,50 EUR\tRoom 1.200\n1284\t12.34')
})
