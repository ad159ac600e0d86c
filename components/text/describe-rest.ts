const MINUTE = 60
const HOUR = 60 * MINUTE

/**
 * The time something will still take, as roughly as an estimate deserves: `about 40 seconds`,
 * `about 25 minutes`.
 */
export function describeRest(seconds: number): string {
  if (seconds <= 5) return 'a few seconds'
  if (seconds < 0.9 * MINUTE) return `about ${step(seconds, seconds < 25 ? 5 : 10)} seconds`
  if (seconds < 1.5 * MINUTE) return 'about a minute'
  if (seconds < 9.5 * MINUTE) return `about ${step(seconds / MINUTE, 1)} minutes`
  if (seconds < 0.9 * HOUR) return `about ${step(seconds / MINUTE, 5)} minutes`
  if (seconds < 1.25 * HOUR) return 'about an hour'
  if (seconds < 1.75 * HOUR) return 'about an hour and a half'
  if (seconds < 36 * HOUR) return `about ${step(seconds / HOUR, 1)} hours`
  return `about ${step(seconds / (24 * HOUR), 1)} days`
}

function step(value: number, size: number): number {
  return Math.max(size, Math.round(value / size) * size)
}

/**
 * A wait, to the second while it is short: `in 40 seconds`, `in 3 minutes`; `soon` when it is
 * over.
 */
export function describeWait(waitMs: number): string {
  if (waitMs <= 0) return 'soon'
  const seconds = Math.ceil(waitMs / 1000)
  if (seconds < 100) return `in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}`
  const minutes = Math.round(seconds / MINUTE)
  return minutes < 100 ? `in ${minutes} minutes` : `in ${step(seconds / HOUR, 1)} hours`
}
