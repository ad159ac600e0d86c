import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Bucket, type Limit, takeFrom } from './bucket.ts'

const LIMIT: Limit = { free: 5, stepSeconds: 900 }
const at = (level: number, ageSeconds = 0) => takeFrom({ level, ageSeconds }, LIMIT).waitSeconds
/** The level before the try. */
const toLevel = (bucket: Bucket, limit: Limit) => {
  const { level, taken } = takeFrom(bucket, limit)
  return level - taken
}

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
        const wait = takeFrom({ level, ageSeconds: 0 }, limit).waitSeconds
        expect(wait).toBeLessThanOrEqual(limit.stepSeconds)
        now += wait
        const next = takeFrom({ level, ageSeconds: wait }, limit)
        expect(next.taken).toBe(1)
        level = next.level
      }
      // beside the free ones and the doubling ones
      expect(tries).toBeLessThanOrEqual(200 + limit.free + 12)
    }),
  )
})

describe('where waits are even', () => {
  const even: Limit = { free: 2, stepSeconds: 2, areWaitsEven: true }

  test('the free ones go at once, and the next one when a step has passed', () => {
    const first = takeFrom({ level: 0, ageSeconds: 0 }, even)
    const second = takeFrom({ level: first.level, ageSeconds: 0 }, even)
    const third = takeFrom({ level: second.level, ageSeconds: 0 }, even)
    expect([first, second, third].map(({ waitSeconds }) => Math.ceil(waitSeconds))).toEqual([0, 0, 2])
    expect(Math.ceil(takeFrom({ level: third.level, ageSeconds: 1.5 }, even).waitSeconds)).toBe(1)
    expect(takeFrom({ level: third.level, ageSeconds: 2 }, even)).toEqual({ taken: 1, waitSeconds: 0, level: 2 })
  })

  test('there are never more than the free ones, however long nobody came', () => {
    expect(takeFrom({ level: 2, ageSeconds: 86_400 }, even)).toEqual({ taken: 1, waitSeconds: 0, level: 1 })
    expect(takeFrom({ level: 2, ageSeconds: 86_400 }, even, 5)).toEqual({ taken: 2, waitSeconds: 0, level: 2 })
  })

  test('none is forgotten when the clock goes back', () => {
    const { taken, level, waitSeconds } = takeFrom({ level: 2, ageSeconds: -10 }, even)
    expect([taken, level, Math.ceil(waitSeconds)]).toEqual([0, 2, 2])
  })

  test('a limit that is no whole number gives whole ones only', () => {
    const half: Limit = { free: 2.5, stepSeconds: 2, areWaitsEven: true }
    expect(takeFrom({ level: 0, ageSeconds: 0 }, half, 5)).toMatchObject({ taken: 2, level: 2 })
    expect(Math.ceil(takeFrom({ level: 2, ageSeconds: 0 }, half).waitSeconds)).toBe(1)
  })

  test('F27: over any span, no more are taken than there were free and time brought', () => {
    const step = fc.record({ afterMs: fc.nat(400), wanted: fc.integer({ min: 1, max: 8 }) })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 30 }), fc.array(step, { maxLength: 200 }), (perSecond, steps) => {
        const limit: Limit = { free: perSecond * 3, stepSeconds: 1 / perSecond, areWaitsEven: true }
        let level = 0
        let now = 0
        let handedOut = 0
        for (const { afterMs, wanted } of steps) {
          now += afterMs
          const next = takeFrom({ level, ageSeconds: afterMs / 1000 }, limit, wanted)
          level = next.level
          handedOut += next.taken
          expect(handedOut).toBeLessThanOrEqual(limit.free + (perSecond * now) / 1000 + 1e-6)
          if (next.taken > 0) continue
          const waitMs = Math.ceil(next.waitSeconds * 1000)
          expect(takeFrom({ level, ageSeconds: waitMs / 1000 }, limit).taken).toBe(1)
        }
      }),
      { numRuns: 2_000 },
    )
  })

  test('F27: one is there after the wait that was announced, whatever rounding has left', () => {
    // 0.312 calls and 344 ms at two a second: 0.9999999999999999 by the processor's arithmetic
    const limit: Limit = { free: 6, stepSeconds: 1 / 2, areWaitsEven: true }
    const level = 6 - 0.31199999999999994
    const { taken, waitSeconds } = takeFrom({ level, ageSeconds: 0 }, limit)
    expect([taken, Math.ceil(waitSeconds * 1000)]).toEqual([0, 344])
    expect(takeFrom({ level, ageSeconds: 0.344 }, limit).taken).toBe(1)
  })
})
