import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Limit, toLevel, toWaitSeconds } from './throttle.ts'

const LIMIT: Limit = { free: 5, stepSeconds: 900 }
const at = (level: number, ageSeconds = 0) => toWaitSeconds({ level, ageSeconds }, LIMIT)

test('A18: five tries are free, then each waits twice as long as the one before, up to a step', () => {
  expect(Array.from({ length: 17 }, (_, level) => at(level))).toEqual([
    0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900,
  ])
})

test('A18: tries at once count in full, even if a moment passed between them', () => {
  expect(at(5 - 0.001)).toBe(1)
})

test('A18: tries are forgotten, one per step, and the wait shrinks with them', () => {
  expect(toLevel({ level: 7, ageSeconds: 1800 }, LIMIT)).toBe(5)
  expect(toLevel({ level: 2, ageSeconds: 86_400 }, LIMIT)).toBe(0)
  expect(at(8, 6)).toBe(2)
  expect(at(8, 8)).toBe(0)
})

test('a clock set back neither adds tries nor lets one through', () => {
  expect(toLevel({ level: 3, ageSeconds: -60 }, LIMIT)).toBe(3)
  expect(at(5, -60)).toBe(1)
})

test('A18: trying as soon as allowed yields at most one try per step in the long run', () => {
  const limit = fc.record({ free: fc.integer({ min: 1, max: 60 }), stepSeconds: fc.integer({ min: 10, max: 900 }) })
  fc.assert(
    fc.property(limit, (limit) => {
      let level = 0
      let tries = 0
      const seconds = limit.stepSeconds * 200
      for (let now = 0; now < seconds; tries++) {
        const wait = toWaitSeconds({ level, ageSeconds: 0 }, limit)
        expect(wait).toBeLessThanOrEqual(limit.stepSeconds)
        now += wait
        level = toLevel({ level, ageSeconds: wait }, limit) + 1
      }
      // beside the free ones and the doubling ones
      expect(tries).toBeLessThanOrEqual(200 + limit.free + 12)
    }),
  )
})
