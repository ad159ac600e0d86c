import fc from 'fast-check'
import { expect, test } from 'vitest'
import { takeCalls, toCallBudget } from './call-budget.ts'
import { askCircuit, type Circuit, CLOSED_CIRCUIT, noteFailure, toHalfOpen } from './circuit.ts'

const RULES = { failures: 3, openBaseMs: 1000, openCapMs: 3000, probeMs: 500 }
const at = (ms: number) => new Date(1_800_000_000_000 + ms)
const fail = (circuit: Circuit, ms: number) => noteFailure(circuit, at(ms), RULES)

test('F27: the circuit opens after several failures in a row, and lets one call probe after the pause', () => {
  let circuit = fail(fail(CLOSED_CIRCUIT, 0), 0)
  expect(askCircuit(circuit, at(0))).toBe('pass')
  circuit = fail(circuit, 0)
  expect(askCircuit(circuit, at(400))).toEqual({ waitMs: 600 })
  expect(askCircuit(circuit, at(1000))).toBe('probe')
  circuit = toHalfOpen(circuit, at(1000), RULES)
  expect(askCircuit(circuit, at(1001))).toEqual({ waitMs: 499 })
  // the probe never came back: another call may probe
  expect(askCircuit(circuit, at(1500))).toBe('probe')
})

test('F27: each failed probe makes the pause longer, up to the cap', () => {
  let circuit = fail(fail(fail(CLOSED_CIRCUIT, 0), 0), 0)
  const pauses: number[] = []
  for (let look = 0; look < 4; look++) {
    const now = circuit.retryAt as Date
    circuit = noteFailure(toHalfOpen(circuit, now, RULES), now, RULES)
    pauses.push((circuit.retryAt?.getTime() ?? 0) - now.getTime())
  }
  expect(pauses).toEqual([2000, 3000, 3000, 3000])
})

test('failures of calls under way when the circuit opened do not lengthen the pause', () => {
  const open = fail(fail(fail(CLOSED_CIRCUIT, 0), 0), 0)
  expect(fail(open, 900)).toEqual({ ...open, consecutiveFailures: 4 })
})

test('F27: over any span, hands out no more calls than burst and rate allow', () => {
  const step = fc.record({ afterMs: fc.nat(400), wanted: fc.integer({ min: 1, max: 8 }) })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 30 }), fc.array(step, { maxLength: 200 }), (perSecond, steps) => {
      const budget = toCallBudget(perSecond) as { perSecond: number; burst: number }
      let bucket = { tokens: budget.burst, at: at(0) }
      let now = 0
      let handedOut = 0
      for (const { afterMs, wanted } of steps) {
        now += afterMs
        const taken = takeCalls(bucket, budget, wanted, at(now))
        bucket = taken.bucket
        handedOut += taken.taken
        expect(handedOut).toBeLessThanOrEqual(budget.burst + (perSecond * now) / 1000 + 1e-6)
        if (taken.taken === 0) {
          const later = takeCalls(bucket, budget, 1, at(now + taken.waitMs))
          expect(later.taken).toBe(1)
        }
      }
    }),
    { numRuns: 2_000 },
  )
})

test('F27: a call is there after the wait that was announced, whatever rounding has left', () => {
  // 0.312 calls and 344 ms at two a second: 0.9999999999999999 by the processor's arithmetic
  const bucket = { tokens: 0.31199999999999994, at: at(656) }
  const budget = { perSecond: 2, burst: 6 }
  expect(takeCalls(bucket, budget, 1, at(656))).toMatchObject({ taken: 0, waitMs: 344 })
  expect(takeCalls(bucket, budget, 1, at(1000)).taken).toBe(1)
})

test('a rate of zero keeps no budget', () => {
  expect(toCallBudget(0)).toBeNull()
})
