import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  addFixed,
  fixed,
  fixedText,
  multiplyFixed,
  parseFixed,
  roundFixed,
  subtractFixed,
  trimmedText,
} from './decimal.ts'

const decimal = fc
  .tuple(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.integer({ min: 0, max: 10 }))
  .map(([units, scale]) => ({ units, scale }))

it('writes and reads a value unchanged, scale included', () => {
  fc.assert(
    fc.property(decimal, (value) => {
      expect(parseFixed(fixedText(value))).toEqual(value)
    }),
  )
})

it('subtracts what it added, and multiplies over sums', () => {
  fc.assert(
    fc.property(decimal, decimal, decimal, (a, b, c) => {
      expect(trimmedText(subtractFixed(addFixed(a, b), b), 0)).toBe(trimmedText(a, 0))
      expect(trimmedText(multiplyFixed(a, addFixed(b, c)), 0)).toBe(
        trimmedText(addFixed(multiplyFixed(a, b), multiplyFixed(a, c)), 0),
      )
    }),
  )
})

it.each([
  ['0.005', 2, '0.01'],
  ['-0.005', 2, '-0.01'],
  ['2.4375', 3, '2.438'],
  ['99.99999999', 2, '100.00'],
  ['1.5', 0, '2'],
  ['-1.4', 0, '-1'],
  ['7', 2, '7.00'],
])('rounds %s to %i places half away from zero: %s', (text, digits, expected) => {
  expect(fixedText(roundFixed(fixed(text), digits))).toBe(expected)
})

it('reads exponent forms and refuses what is not a decimal', () => {
  expect(fixedText(fixed('0E-8'))).toBe('0.00000000')
  expect(fixedText(fixed('1.2E+2'))).toBe('120')
  for (const text of ['12,30', '', 'NaN', '1e9999', '0x10', ' 1', '1_000']) expect(parseFixed(text)).toBeNull()
})
