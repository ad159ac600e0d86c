/**
 * A circuit breaker's memory of one host. `retryAt`: when open, when one call may probe; when half
 * open, when that call counts as lost.
 */
export type Circuit = {
  state: 'closed' | 'open' | 'half_open'
  consecutiveFailures: number
  /** How often it opened since the last success: the pauses grow with it. */
  timesOpened: number
  retryAt: Date | null
}

export type CircuitRules = {
  /** How many failures in a row open the circuit. */
  failures: number
  /** The pause after it opens; doubled each time the probe fails too, up to the cap. */
  openBaseMs: number
  openCapMs: number
  /** How long a half-open circuit's probe may take before another call may probe. */
  probeMs: number
}

export const CLOSED_CIRCUIT: Circuit = { state: 'closed', consecutiveFailures: 0, timesOpened: 0, retryAt: null }

/**
 * Whether a call may be made: `pass`, `probe` (the circuit becomes half open, and this is its one
 * call), or after how many ms.
 */
export function askCircuit(circuit: Circuit, now: Date): 'pass' | 'probe' | { waitMs: number } {
  if (circuit.state === 'closed') return 'pass'
  const waitMs = (circuit.retryAt?.getTime() ?? 0) - now.getTime()
  return waitMs <= 0 ? 'probe' : { waitMs }
}

/** The circuit while its probe is under way. */
export function toHalfOpen(circuit: Circuit, now: Date, rules: CircuitRules): Circuit {
  return { ...circuit, state: 'half_open', retryAt: new Date(now.getTime() + rules.probeMs) }
}

/**
 * The circuit after a failed call. A failure while half open reopens it for longer. While it is
 * open, only the count changes: those calls were under way when it opened.
 */
export function noteFailure(circuit: Circuit, now: Date, rules: CircuitRules): Circuit {
  const consecutiveFailures = circuit.consecutiveFailures + 1
  const opens = circuit.state === 'half_open' || (circuit.state === 'closed' && consecutiveFailures >= rules.failures)
  if (!opens) return { ...circuit, consecutiveFailures }
  const pauseMs = Math.min(rules.openCapMs, rules.openBaseMs * 2 ** circuit.timesOpened)
  return {
    state: 'open',
    consecutiveFailures,
    timesOpened: circuit.timesOpened + 1,
    retryAt: new Date(now.getTime() + pauseMs),
  }
}
