import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addDecimals,
  compareDecimals,
  type DecimalText,
  decimalScale,
  isNegativeDecimal,
  isZeroDecimal,
  multiplyDecimals,
  negateDecimal,
  parseDecimal,
  roundHalfAwayFromZero,
  subtractDecimals,
  sumDecimals,
  toExact,
  writeExact,
} from './money.ts'
import { decimalText } from './test-support/test-lines.ts'

const decimal = (text: string) => parseDecimal(text) as DecimalText

describe('parseDecimal', () => {
  test.each([
    ['20.00000000', '20.00000000'],
    ['0E-8', '0.00000000'],
    ['0e2', '0'],
    ['3.62', '3.62'],
    ['0', '0'],
    ['-0.00', '0.00'],
    ['-0.05', '-0.05'],
    ['+1.5', '1.5'],
    ['007.10', '7.10'],
    ['1.50E+1', '15.0'],
    ['1e3', '1000'],
    ['-12e-3', '-0.012'],
    [`${'9'.repeat(40)}.${'1'.repeat(20)}`, `${'9'.repeat(40)}.${'1'.repeat(20)}`],
  ])('reads %s as %s', (text, plain) => {
    expect(parseDecimal(text)).toBe(plain)
  })

  test.each([
    '',
    ' 1',
    '1 ',
    '12,30',
    '1.',
    '.5',
    '0x10',
    'NaN',
    'Infinity',
    '--1',
    '1e',
    '1e1234',
    '1e61',
    '1E-60',
    '٣',
    '1_000',
  ])('refuses %j', (text) => {
    expect(parseDecimal(text)).toBeNull()
  })

  test('F23: refuses 400 digits, and exponents that would write them out', () => {
    expect(parseDecimal('1'.repeat(400))).toBeNull()
    expect(parseDecimal(`0.${'1'.repeat(400)}`)).toBeNull()
    expect(parseDecimal('1e999')).toBeNull()
    expect(parseDecimal('1'.repeat(60))).toBe('1'.repeat(60))
    expect(parseDecimal('1'.repeat(61))).toBeNull()
  })

  test('never throws, and its result is plain and reads as itself', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[+-]?\d{0,70}\.?\d{0,70}([eE][+-]?\d{0,4})?$/)), (text) => {
        const parsed = parseDecimal(text)
        if (parsed === null) return
        expect(parsed).toMatch(/^-?(0|[1-9]\d*)(\.\d+)?$/)
        expect(parsed).not.toMatch(/^-[0.]+$/)
        expect(parseDecimal(parsed)).toBe(parsed)
      }),
    )
  })
})

describe('exact arithmetic', () => {
  test('adds, subtracts and multiplies 40 digits without losing one', () => {
    const nines = decimal(`${'9'.repeat(40)}.00000001`)
    expect(addDecimals(nines, decimal('0.99999999'))).toBe(`1${'0'.repeat(40)}.00000000`)
    expect(subtractDecimals(decimal('0.3'), decimal('0.10'))).toBe('0.20')
    expect(multiplyDecimals(decimal('1.10'), decimal('-3.0'))).toBe('-3.300')
    expect(sumDecimals([decimal('0.1'), decimal('0.2'), decimal('-0.30')])).toBe('0.00')
    expect(sumDecimals([])).toBe('0')
  })

  test('obeys the laws of addition at any size and scale', () => {
    fc.assert(
      fc.property(decimalText(), decimalText(), decimalText(), (a, b, c) => {
        expect(addDecimals(a, b)).toBe(addDecimals(b, a))
        expect(addDecimals(addDecimals(a, b), c)).toBe(addDecimals(a, addDecimals(b, c)))
        expect(isZeroDecimal(addDecimals(a, negateDecimal(a)))).toBe(true)
        expect(compareDecimals(subtractDecimals(addDecimals(a, b), b), a)).toBe(0)
        expect(multiplyDecimals(a, addDecimals(b, c))).toSatisfy(
          (product: DecimalText) =>
            compareDecimals(product, addDecimals(multiplyDecimals(a, b), multiplyDecimals(a, c))) === 0,
        )
        expect(decimalScale(addDecimals(a, b))).toBe(Math.max(decimalScale(a), decimalScale(b)))
      }),
    )
  })

  test('comes to what decimal.js comes to, digit for digit', () => {
    fc.assert(
      fc.property(decimalText(), decimalText(), fc.integer({ min: 0, max: 9 }), (a, b, digits) => {
        const [left, right] = [decimalScale(a), decimalScale(b)]
        expect(addDecimals(a, b)).toBe(writeExact(toExact(a).plus(b), Math.max(left, right)))
        expect(subtractDecimals(a, b)).toBe(writeExact(toExact(a).minus(b), Math.max(left, right)))
        expect(multiplyDecimals(a, b)).toBe(writeExact(toExact(a).times(b), left + right))
        expect(sumDecimals([a, b, a])).toBe(writeExact(toExact(a).plus(b).plus(a), Math.max(left, right)))
        expect(compareDecimals(a, b)).toBe(toExact(a).comparedTo(b))
        expect(roundHalfAwayFromZero(a, digits)).toBe(writeExact(toExact(a), digits))
      }),
      { numRuns: 2000 },
    )
  })

  test.each([
    ['0.005', 2, '0.01'],
    ['-0.005', 2, '-0.01'],
    ['0.004999', 2, '0.00'],
    ['-0.004', 2, '0.00'],
    ['2.5', 0, '3'],
    ['-2.5', 0, '-3'],
    ['1.0005', 3, '1.001'],
    ['7', 2, '7.00'],
    [`${'9'.repeat(40)}.5`, 0, `1${'0'.repeat(40)}`],
  ])('rounds %s to %i decimals half away from zero: %s', (value, digits, rounded) => {
    expect(roundHalfAwayFromZero(decimal(value), digits)).toBe(rounded)
  })

  test('knows sign, zero and order by value, not by spelling', () => {
    expect(compareDecimals(decimal('1.0'), decimal('1'))).toBe(0)
    expect(compareDecimals(decimal('-1'), decimal('0.00'))).toBe(-1)
    expect(isNegativeDecimal(decimal('-0.01'))).toBe(true)
    expect(isNegativeDecimal(decimal('-0'))).toBe(false)
    expect(negateDecimal(decimal('0.00'))).toBe('0.00')
    expect(negateDecimal(decimal('-3.10'))).toBe('3.10')
  })
})
