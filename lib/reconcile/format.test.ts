import fc from 'fast-check'
import { expect, test } from 'vitest'
import { currencyDigits } from './currency.ts'
import { formatAmount, formatCount, formatDay, formatNumber } from './format.ts'
import { compareDecimals, type DecimalText, parseDecimal } from './money.ts'
import { decimalText } from './test-support/test-lines.ts'

const decimal = (text: string) => parseDecimal(text) as DecimalText

test.each([
  ['1112078.92', 'EUR', '1,112,078.92'],
  ['-48700', 'JPY', '−48,700'],
  ['48700.00000000', 'JPY', '48,700'],
  ['383479.775', 'KWD', '383,479.775'],
  ['38.25', 'KWD', '38.250'],
  ['20.00000000', 'EUR', '20.00'],
  ['99.99999999', 'EUR', '99.99999999'],
  ['0.005', 'EUR', '0.005'],
  ['0', 'EUR', '0.00'],
  ['7', 'XXX', '7.00'],
])('shows %s %s as %s', (amount, currency, shown) => {
  expect(formatAmount(decimal(amount), currency)).toBe(shown)
})

test('shows the plus sign of a difference when asked, and none on zero', () => {
  expect(formatAmount(decimal('0.01'), 'EUR', { sign: 'always' })).toBe('+0.01')
  expect(formatAmount(decimal('-0.01'), 'EUR', { sign: 'always' })).toBe('−0.01')
  expect(formatAmount(decimal('0.00'), 'EUR', { sign: 'always' })).toBe('0.00')
})

test('a shown amount is the same value, without its separators', () => {
  fc.assert(
    fc.property(decimalText(), fc.constantFrom('EUR', 'JPY', 'KWD'), (amount, currency) => {
      const shown = decimal(formatAmount(amount, currency).replaceAll(',', '').replace('−', '-'))
      expect(compareDecimals(shown, amount)).toBe(0)
    }),
  )
})

test('shows counts, rates and days', () => {
  expect(formatCount(1284)).toBe('1,284')
  expect(formatCount('1000000')).toBe('1,000,000')
  expect(formatCount(0)).toBe('0')
  expect(formatNumber(decimal('19.00'))).toBe('19')
  expect(formatNumber(decimal('5.50'))).toBe('5.5')
  expect(formatDay('2026-03-04')).toBe('Mar 4, 2026')
})

test('knows the currencies whose minor unit does not have two decimals', () => {
  expect(['EUR', 'JPY', 'KWD', 'CLF', 'XXX'].map(currencyDigits)).toEqual([2, 0, 3, 4, 2])
})
