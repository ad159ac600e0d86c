import fc from 'fast-check'
import { expect, test } from 'vitest'
import { currencyDigits } from './currency.ts'
import { type ProvableLine, proveLine } from './line-proof.ts'
import { type DecimalText, decimalScale, parseDecimal } from './money.ts'
import { add, multiply, provableLine, round, scaled, write } from './test-support/test-lines.ts'

type Figures = [
  quantity: string,
  unit: string,
  rest: string,
  rate: string,
  tax: string,
  total: string,
  currency: string,
]

function toLine([quantity, unit, rest, rate, tax, total, currency]: Figures): ProvableLine {
  const decimal = (text: string) => parseDecimal(text) as DecimalText
  return {
    quantity: decimal(quantity),
    unitPrice: decimal(unit),
    nonTaxableUnitPrice: decimal(rest),
    taxPercentage: decimal(rate),
    taxAmount: decimal(tax),
    totalAmount: decimal(total),
    currency,
  }
}

const RIGHT: [string, ...Figures][] = [
  ['thirds stated in cents', '3', '33.33333333', '0', '0', '0', '100.00', 'EUR'],
  ['thirds stated in full', '3', '33.33333333', '0', '0', '0', '99.99999999', 'EUR'],
  ['taxable and non-taxable parts', '2', '120.50', '14.00', '19', '45.79', '314.79', 'EUR'],
  ['a large base at 19 %', '1', '5912.63', '0', '19', '1123.40', '7036.03', 'EUR'],
  ['yen', '1', '48700', '0', '10', '4870', '53570', 'JPY'],
  ['yen with decimals that say nothing', '1', '48700.00000000', '0', '10.00', '4870.00', '53570.00', 'JPY'],
  ['dinars', '4', '60.000', '3.600', '0', '0.000', '254.400', 'KWD'],
  ['dinars at 5.5 %', '1', '10.005', '0', '5.5', '0.550', '10.555', 'KWD'],
  ['a refund by quantity', '-2', '120.50', '14.00', '19', '-45.79', '-314.79', 'EUR'],
  ['a refund by price', '2', '-120.50', '-14.00', '19', '-45.79', '-314.79', 'EUR'],
  ['zero in exponent form', '1', '0E-8', '11.15', '0E-8', '0E-8', '11.15', 'EUR'],
  ['a total without decimals', '1', '100', '0', '0', '0', '100', 'EUR'],
  ['half a cent away from zero', '1', '0.50', '0', '1', '0.01', '0.51', 'EUR'],
  ['half a cent below zero', '-1', '0.50', '0', '1', '-0.01', '-0.51', 'EUR'],
  ['40 digits', '1', `${'9'.repeat(32)}.00000001`, '0', '0', '0', `${'9'.repeat(32)}.00000001`, 'EUR'],
]

test.each(RIGHT)('F31: %s adds up', (_name, ...figures) => {
  const proof = proveLine(toLine(figures))
  expect(proof.findings).toEqual([])
  expect(proof.difference).toMatch(/^0(\.0+)?$/)
})

const WRONG: [string, Figures, string, string, string, string][] = [
  ['a cent off', ['3', '33.33333333', '0', '0', '0', '100.01', 'EUR'], 'total', '100.00', '100.01', '0.01'],
  ['a yen off', ['1', '48700', '0', '0', '0', '48701', 'JPY'], 'total', '48700', '48701', '1'],
  ['a fil off', ['1', '38.250', '0', '0', '0', '38.249', 'KWD'], 'total', '38.250', '38.249', '-0.001'],
  ['a cent short of a refund', ['-1', '10.00', '0', '0', '0', '-9.99', 'EUR'], 'total', '-10.00', '-9.99', '0.01'],
  ['a total stated too coarsely', ['1', '99.60', '0', '0', '0', '100', 'EUR'], 'total', '99.60', '100', '0.40'],
  [
    'a difference at the 8th decimal',
    ['1', '1.00000001', '0', '0', '0', '1.00000000', 'EUR'],
    'total',
    '1.00000001',
    '1.00000000',
    '-0.00000001',
  ],
  ['tax rounded per unit', ['2', '120.50', '14.00', '19', '45.80', '314.80', 'EUR'], 'tax', '45.79', '45.80', '0.01'],
  [
    'tax left unrounded',
    ['1', '5912.63', '0', '19', '1123.3997', '7036.0297', 'EUR'],
    'tax',
    '1123.40',
    '1123.3997',
    '-0.0003',
  ],
  ['tax of a yen too much', ['1', '1005', '0', '10', '102', '1107', 'JPY'], 'tax', '101', '102', '1'],
]

test.each(WRONG)('F31: %s is found', (_name, figures, code, expected, actual, difference) => {
  const currency = figures[6]
  expect(proveLine(toLine(figures)).findings).toEqual([{ code, expected, actual, difference, currency }])
})

test('F31: wrong tax and wrong total are two findings', () => {
  const proof = proveLine(toLine(['1', '100.00', '0', '19', '7.00', '119.00', 'EUR']))
  expect(proof).toMatchObject({
    expectedTotal: '107.00',
    difference: '12.00',
    expectedTax: '19.00',
    taxDifference: '-12.00',
  })
  expect(proof.findings.map((finding) => finding.code)).toEqual(['total', 'tax'])
})

test('F31: the proof equals integer arithmetic on any line', () => {
  fc.assert(
    fc.property(provableLine(), (line) => {
      const digits = currencyDigits(line.currency)
      const totalDigits = Math.max(decimalScale(line.totalAmount), digits)
      const unit = add(scaled(line.unitPrice), scaled(line.nonTaxableUnitPrice))
      const total = round(add(multiply(scaled(line.quantity), unit), scaled(line.taxAmount)), totalDigits)
      const taxable = multiply(scaled(line.quantity), scaled(line.unitPrice))
      const tax = round(multiply(multiply(taxable, scaled(line.taxPercentage)), [1n, 2]), digits)
      const difference = add(scaled(line.totalAmount), [-total, totalDigits])
      const taxDifference = add(scaled(line.taxAmount), [-tax, digits])
      const proof = proveLine(line)
      expect(proof.expectedTotal).toBe(write([total, totalDigits]))
      expect(proof.expectedTax).toBe(write([tax, digits]))
      expect(proof.difference).toBe(write(difference))
      expect(proof.taxDifference).toBe(write(taxDifference))
      expect(proof.findings.map((finding) => finding.code)).toEqual([
        ...(difference[0] === 0n ? [] : ['total']),
        ...(taxDifference[0] === 0n ? [] : ['tax']),
      ])
    }),
    { seed: 31, numRuns: 5_000 },
  )
})

test('a refund mirrors its sale', () => {
  fc.assert(
    fc.property(provableLine(), (line) => {
      const negate = (value: DecimalText) => write([-scaled(value)[0], scaled(value)[1]])
      const { quantity, taxAmount, totalAmount } = line
      const sale = proveLine(line)
      const refund = proveLine({
        ...line,
        quantity: negate(quantity),
        taxAmount: negate(taxAmount),
        totalAmount: negate(totalAmount),
      })
      expect(refund.expectedTotal).toBe(negate(sale.expectedTotal))
      expect(refund.expectedTax).toBe(negate(sale.expectedTax))
      expect(refund.findings.map((finding) => finding.code)).toEqual(sale.findings.map((finding) => finding.code))
    }),
  )
})
