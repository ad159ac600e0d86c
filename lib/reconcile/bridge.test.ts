import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type BridgeParts, isQuiet, toBridge, toNetChange } from './bridge.ts'
import { addDecimals, compareDecimals, type DecimalText, parseDecimal, subtractDecimals, sumDecimals } from './money.ts'
import { decimalText } from './test-support/test-lines.ts'

const decimal = (text: string) => parseDecimal(text) as DecimalText
const NONE = { count: 0, amount: decimal('0') }

/**
 * A line's totals: its first one, those after each change, and whether it is still there. `stood`:
 * it was there as the day began.
 */
type Life = {
  stood: boolean
  first: [currency: string, amount: DecimalText]
  changes: [currency: string, amount: DecimalText][]
  isRemoved: boolean
}

const total = () => fc.tuple(fc.constantFrom('EUR', 'JPY'), decimalText())
const life: () => fc.Arbitrary<Life> = () =>
  fc.record({
    stood: fc.boolean(),
    first: total(),
    changes: fc.array(total(), { maxLength: 3 }),
    isRemoved: fc.boolean(),
  })

/** What SQL reads of the lives, told once more by hand. */
function toParts(currency: string, lives: Life[]): BridgeParts {
  const sum = (amounts: [string, DecimalText][]) => {
    const own = amounts.filter(([each]) => each === currency).map(([, amount]) => amount)
    return { count: own.length, amount: sumDecimals(own) }
  }
  const last = ({ first, changes }: Life) => changes.at(-1) ?? first
  const effect = (of: Life[]) => {
    const steps = of.flatMap(({ first, changes }) =>
      changes.map((next, at) => [changes[at - 1] ?? first, next] as const),
    )
    const [left, joined] = [sum(steps.map(([before]) => before)), sum(steps.map(([, after]) => after))]
    return { count: 0, moved: joined.count - left.count, amount: subtractDecimals(joined.amount, left.amount) }
  }
  const seen = lives.filter(({ stood }) => !stood)
  return {
    currency,
    now: sum(lives.filter(({ isRemoved }) => !isRemoved).map(last)),
    seen: sum(seen.map(last)),
    changed: effect(lives),
    changedOfSeen: effect(seen),
    removed: sum(lives.filter(({ isRemoved }) => isRemoved).map(last)),
  }
}

test('what stood and what arrived is what lines had then, whatever happened to them since', () => {
  fc.assert(
    fc.property(fc.array(life()), fc.constantFrom('EUR', 'JPY'), (lives, currency) => {
      const { stood, arrived } = toBridge(toParts(currency, lives))
      for (const [side, wasThere] of [
        [stood, true],
        [arrived, false],
      ] as const) {
        const own = lives.filter((each) => each.stood === wasThere && each.first[0] === currency)
        expect(side.count).toBe(own.length)
        expect(compareDecimals(side.amount, sumDecimals(own.map(({ first }) => first[1])))).toBe(0)
      }
    }),
  )
})

test('stood + arrived + changed - removed is now, to the last digit', () => {
  fc.assert(
    fc.property(fc.array(life()), (lives) => {
      const bridge = toBridge(toParts('EUR', lives))
      const { stood, arrived, changed, removed, now } = bridge
      const sum = subtractDecimals(sumDecimals([stood.amount, arrived.amount, changed.amount]), removed.amount)
      expect(compareDecimals(sum, now.amount)).toBe(0)
      expect(compareDecimals(addDecimals(stood.amount, toNetChange(bridge)), now.amount)).toBe(0)
    }),
  )
})

test('a currency to whose lines nothing happened is quiet', () => {
  const still = { count: 3, amount: decimal('77.50') }
  const effect = { ...NONE, moved: 0 }
  const parts = { currency: 'EUR', now: still, seen: NONE, changed: effect, changedOfSeen: effect, removed: NONE }
  expect(isQuiet(toBridge(parts))).toBe(true)
  expect(toBridge(parts).stood).toEqual(still)
  expect(isQuiet(toBridge({ ...parts, removed: { count: 1, amount: decimal('0') } }))).toBe(false)
})
