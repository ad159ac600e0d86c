import { expect, test } from 'vitest'
import { toEquation } from './equation.ts'
import { type ProvableLine, proveLine } from './line-proof.ts'
import { type DecimalText, parseDecimal } from './money.ts'

const decimal = (text: string) => parseDecimal(text) as DecimalText
const LINE: ProvableLine = {
  quantity: decimal('2'),
  unitPrice: decimal('120.50000000'),
  nonTaxableUnitPrice: decimal('14.00'),
  taxPercentage: decimal('19.00'),
  taxAmount: decimal('45.79'),
  totalAmount: decimal('314.79'),
  currency: 'EUR',
}

/** The rows as a person would read them. */
function read(change: Partial<ProvableLine>): string[] {
  const line = { ...LINE, ...change }
  return toEquation(line, proveLine(line)).map(
    (row) => `${row.label} = ${row.figure}${row.currency ? ` ${row.currency}` : ''}${row.failed ? ' !' : ''}`,
  )
}

test('lays a proved line out in the order it is checked', () => {
  expect(read({})).toEqual([
    '2 × (120.50 + 14.00) = 269.00',
    '+ tax 19% of 241.00 = 45.79',
    'expected = 314.79 EUR',
    'stated = 314.79 EUR',
    'difference = 0.00',
  ])
})

test('marks the difference of a total that does not add up', () => {
  expect(read({ totalAmount: decimal('314.80') }).slice(2)).toEqual([
    'expected = 314.79 EUR',
    'stated = 314.80 EUR',
    'difference = +0.01 !',
  ])
})

test('compares the tax in separate rows when the tax is off', () => {
  expect(read({ taxAmount: decimal('45.80'), totalAmount: decimal('314.80') })).toEqual([
    '2 × (120.50 + 14.00) = 269.00',
    '+ tax as stated = 45.80',
    'expected = 314.80 EUR',
    'stated = 314.80 EUR',
    'difference = 0.00',
    'tax 19% of 241.00 = 45.79 EUR',
    'tax stated = 45.80 EUR',
    'difference = +0.01 !',
  ])
})

test('shows refunds, full precision and a missing non-taxable part', () => {
  const [refund] = read({ quantity: decimal('-2'), nonTaxableUnitPrice: decimal('-14') })
  expect(refund).toBe('−2 × (120.50 − 14.00) = −213.00')
  const [thirds] = read({
    quantity: decimal('3'),
    unitPrice: decimal('33.33333333'),
    nonTaxableUnitPrice: decimal('0'),
  })
  expect(thirds).toBe('3 × 33.33333333 = 99.99999999')
})
