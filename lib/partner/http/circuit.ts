/**
 * A circuit breaker's memory of one host. `retryAt`: open = when one call may look; half open =
 * when that call counts as lost.
 */
export type Circuit = {
  state: 'closed' | 'open' | 'half_open'
  consecutiveFailures: number
  /** How often it has opened since the last success: the pauses grow with it. */
  timesOpened: number
  retryAt: Date | null
}

export type CircuitRules = {
  /** So many failures in a row open the circuit. */
  failures: number
  /**
   * The pause after it has opened; doubled each time that the call after it fails too, up to the
   * cap.
   */
  openBaseMs: number
  openCapMs: number
  /** How long the one call of a half-open circuit may take before another may look. */
  probeMs: number
}

export const CLOSED_CIRCUIT: Circuit = { state: 'closed', consecutiveFailures: 0, timesOpened: 0, retryAt: null }

/**
 * Whether a call may be made: `pass`, `probe` (the circuit becomes half open, this is its one
 * call), or in how many ms.
 */
export function askCircuit(circuit: Circuit, now: Date): 'pass' | 'probe' | { waitMs: number } {
  if (circuit.state === 'closed') return 'pass'
  const waitMs = (circuit.retryAt?.getTime() ?? 0) - now.getTime()
  return waitMs <= 0 ? 'probe' : { waitMs }
}

/** The circuit while its one call is under way. */
export function toHalfOpen(circuit: Circuit, now: Date, rules: CircuitRules): Circuit {
  return { ...circuit, state: 'half_open', retryAt: new Date(now.getTime() + rules.probeMs) }
}

/**
 * The circuit after a failed call. A failure while it is half open opens it again for longer; while
 * it is open (calls that were under way when it opened) nothing changes but the count.
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
