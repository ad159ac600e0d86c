import { expect, test } from 'vitest'
import type { DecimalText } from '../money.ts'
import { type Weight, weighDifference } from './weight.ts'

const CASES: [difference: string, currency: string, isExplained: boolean, weight: Weight][] = [
  ['0.01', 'EUR', false, 'unexplained'],
  ['-0.01', 'EUR', true, 'explained'],
  ['0.00999999', 'EUR', false, 'notation'],
  ['-0.00000001', 'EUR', true, 'notation'],
  ['0.9', 'JPY', false, 'notation'],
  ['-1', 'JPY', false, 'unexplained'],
  ['0.001', 'KWD', false, 'unexplained'],
  ['0.0009', 'KWD', false, 'notation'],
  ['27', 'EUR', true, 'explained'],
  ['0.00', 'EUR', false, 'notation'],
]

test.each(CASES)('%s %s, explained: %s, weighs as %s', (difference, currency, isExplained, weight) => {
  expect(weighDifference(difference as DecimalText, currency, isExplained)).toBe(weight)
})
