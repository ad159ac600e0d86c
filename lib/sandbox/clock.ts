/** The sandbox's clock: real time plus an offset that tests move. Every lifetime depends on it. */
export type SandboxClock = {
  /** Milliseconds since the epoch, on the sandbox's clock. */
  nowMs(): number
  /** How far the clock is ahead of real time, in seconds. */
  offsetSeconds(): number
  advance(seconds: number): void
  setNow(ms: number): void
  reset(): void
}

export function createClock(realNowMs: () => number = Date.now): SandboxClock {
  let offsetMs = 0
  return {
    nowMs: () => realNowMs() + offsetMs,
    offsetSeconds: () => Math.round(offsetMs / 1000),
    advance: (seconds) => {
      offsetMs += seconds * 1000
    },
    setNow: (ms) => {
      offsetMs = ms - realNowMs()
    },
    reset: () => {
      offsetMs = 0
    },
  }
}

/** The calendar day (UTC) of a moment, as YYYY-MM-DD. */
export function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}
