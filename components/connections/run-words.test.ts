import { expect, test } from 'vitest'
import { toPercent } from './run-words.ts'

test.each([
  [{ received: 10, expected: 10 }, { received: 45, expected: 90 }, 55],
  [{ received: 10, expected: 10 }, { received: 89, expected: 90 }, 99],
  [{ received: 10, expected: 10 }, { received: 120, expected: 90 }, 100],
  [{ received: 0, expected: 0 }, { received: 0, expected: 0 }, 100],
  [{ received: 10, expected: 10 }, { received: 0, expected: null }, null],
])(
  'how much of %j and %j is read is never rounded up, and unknown until both are counted',
  (invoices, lines, percent) => {
    expect(toPercent({ invoices, lines })).toBe(percent)
  },
)
