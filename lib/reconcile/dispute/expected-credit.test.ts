import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type ProvableLine, proveLine } from '../line-proof.ts'
import { compareDecimals, type DecimalText, parseDecimal } from '../money.ts'
import { provableLine } from '../test-support/test-lines.ts'
import { defaultExpectedCredit, isNoDefault, toExpectedCredit } from './expected-credit.ts'

const decimal = (text: string) => parseDecimal(text) as DecimalText

/** A line of one unit with 19 % tax, as it states its tax and its total. */
function line(unit: string, tax: string, total: string, more: { currency?: string; mode?: string } = {}) {
  const quantity = unit.startsWith('-') ? '-1' : '1'
  const provable: ProvableLine = {
    quantity: decimal(quantity),
    unitPrice: decimal(unit.replace('-', '')),
    nonTaxableUnitPrice: decimal('0'),
    taxPercentage: decimal('19'),
    taxAmount: decimal(tax),
    totalAmount: decimal(total),
    currency: more.currency ?? 'EUR',
  }
  return { line: { ...provable, invoiceMode: more.mode ?? null }, proof: proveLine(provable) }
}

test.each([
  ['a charge above its units and tax', line('70.00', '13.30', '124.60'), '41.30'],
  ['a tax that is too high', line('70.00', '15.30', '85.30'), '2.00'],
  ['a total and a tax that are both too high', line('70.00', '15.30', '95.30'), '12.00'],
  ['a tax that is too high by more than the total is too low', line('70.00', '15.30', '84.30'), '1.00'],
  ['a charge below its units', line('70.00', '13.30', '60.00'), 'nothing_owed'],
  ['a line that adds up', line('70.00', '13.30', '83.30'), 'nothing_owed'],
  ['a total and a tax that cancel', line('70.00', '14.30', '83.30'), 'nothing_owed'],
  ['a refund that is too small', line('-100.00', '-19.00', '-99.00'), '20.00'],
  ['a refund that is too large', line('-100.00', '-19.00', '-139.00'), 'nothing_owed'],
  ['less than a cent', line('70.00', '13.30', '83.30400000'), 'below_minor_unit'],
  ['digits below a cent', line('70.00', '13.30', '83.31500000'), '0.015'],
  ['yen', line('1000', '190', '2290', { currency: 'JPY' }), '1100'],
  ['fils', line('10.000', '1.900', '15.15', { currency: 'KWD' }), '3.250'],
  ['a credit document above zero', line('70.00', '13.30', '124.60', { mode: 'credit-reseller' }), 'sign_unknown'],
])('of %s the figures say what is expected back', (_, { line, proof }, expected) => {
  expect(defaultExpectedCredit(line, proof)).toBe(expected)
})

test('says who named the amount', () => {
  const { line: disputed, proof } = line('70.00', '13.30', '124.60')
  expect(toExpectedCredit(disputed, proof, null)).toEqual({ amount: '41.30', source: 'difference' })
  expect(toExpectedCredit(disputed, proof, ' 20.5 ')).toEqual({ amount: '20.50', source: 'person' })
  expect(toExpectedCredit(disputed, proof, '41.300')).toEqual({ amount: '41.30', source: 'person' })
})

test('a line that adds up has no amount unless a person names one', () => {
  const { line: disputed, proof } = line('70.00', '13.30', '83.30')
  expect(toExpectedCredit(disputed, proof, null)).toEqual({ problem: 'nothing_owed' })
  expect(toExpectedCredit(disputed, proof, '83.30')).toEqual({ amount: '83.30', source: 'person' })
})

test.each([
  ['41,30', 'not_a_number'],
  ['', 'not_a_number'],
  ['0.00', 'zero'],
  ['-41.30', 'negative'],
  ['41.301', 'too_many_decimals'],
  ['124.61', 'above_limit'],
])('refuses %s of a line of 124.60', (text, problem) => {
  const { line: disputed, proof } = line('70.00', '13.30', '124.60')
  expect(toExpectedCredit(disputed, proof, text)).toEqual({ problem })
})

test('a refund that is far too small may be expected in full', () => {
  const { line: disputed, proof } = line('-100.00', '-19.00', '-5.00')
  expect(toExpectedCredit(disputed, proof, '114.00')).toEqual({ amount: '114.00', source: 'person' })
  expect(toExpectedCredit(disputed, proof, '114.01')).toEqual({ problem: 'above_limit' })
})

test('what the figures say of any line is above zero, and a person may say the same where it can be paid', () => {
  fc.assert(
    fc.property(provableLine(), (each) => {
      const disputed = { ...each, invoiceMode: null }
      const amount = defaultExpectedCredit(disputed, proveLine(each))
      if (isNoDefault(amount)) return
      expect(compareDecimals(amount, decimal('0'))).toBe(1)
      const said = toExpectedCredit(disputed, proveLine(each), amount)
      const refused = parseDecimal(amount) === null ? 'not_a_number' : 'too_many_decimals'
      expect([{ amount, source: 'person' }, { problem: refused }]).toContainEqual(said)
    }),
  )
})
