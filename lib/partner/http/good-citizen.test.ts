import { expect, test } from 'vitest'
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
