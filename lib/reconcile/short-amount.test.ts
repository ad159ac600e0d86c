import fc from 'fast-check'
import { expect, test } from 'vitest'
import { currencyDigits } from './currency.ts'
import { formatAmount } from './format.ts'
import { compareDecimals, type DecimalText, parseDecimal, roundHalfAwayFromZero } from './money.ts'
import { shortenAmount } from './short-amount.ts'
import { decimalText } from './test-support/test-lines.ts'

const decimal = (text: string) => parseDecimal(text) as DecimalText

test.each([
  ['55497.91999998', 'EUR', '55,497.92', false],
  ['999.995', 'EUR', '1,000.00', false],
  ['-0.125', 'EUR', '−0.13', false],
  ['-0.00000001', 'EUR', '0.00', false],
  ['0.5', 'JPY', '1', false],
  ['-48700.4', 'JPY', '−48,700', false],
  ['38.2505', 'KWD', '38.251', false],
  ['20.00000000', 'EUR', '20.00', true],
  ['7', 'KWD', '7.000', true],
])('shortens %s %s to %s', (amount, currency, text, isWhole) => {
  expect(shortenAmount(decimal(amount), currency)).toEqual({ text, isWhole })
})

test('a shortened amount is the amount rounded half away from zero, and says whether it is the whole one', () => {
  fc.assert(
    fc.property(decimalText(), fc.constantFrom('EUR', 'JPY', 'KWD'), (amount, currency) => {
      const rounded = roundHalfAwayFromZero(amount, currencyDigits(currency))
      expect(shortenAmount(amount, currency, { sign: 'always' })).toEqual({
        text: formatAmount(rounded, currency, { sign: 'always' }),
        isWhole: compareDecimals(rounded, amount) === 0,
      })
    }),
  )
})
